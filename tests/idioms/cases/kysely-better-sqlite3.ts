import SQLite from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";

interface Database {
  users: { id: number; name: string };
  posts: { id: number; author_id: number; title: string };
}

const db = new Kysely<Database>({
  dialect: new SqliteDialect({ database: new SQLite(process.env.SQLITE_FILE) }),
});

export async function page(id: number) {
  const user = await db.selectFrom("users").where("id", "=", id).selectAll().executeTakeFirst();
  const posts = await db.selectFrom("posts").where("author_id", "=", id).selectAll().execute();
  return { user, posts };
}
