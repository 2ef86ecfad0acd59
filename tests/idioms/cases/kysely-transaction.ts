import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";

interface Database {
  users: { id: number; name: string };
  posts: { id: number; author_id: number; title: string };
}

const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: new Pool({ max: 10 }) }) });

export async function page(id: number) {
  return db.transaction().execute(async (trx) => {
    const user = await trx.selectFrom("users").where("id", "=", id).selectAll().executeTakeFirst();
    const posts = await trx.selectFrom("posts").where("author_id", "=", id).selectAll().execute();
    return { user, posts };
  });
}
