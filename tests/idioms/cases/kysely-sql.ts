import { Kysely, PostgresDialect, sql } from "kysely";
import { Pool } from "pg";

const db = new Kysely({ dialect: new PostgresDialect({ pool: new Pool({ max: 10 }) }) });

export async function page(id: number) {
  const users = await sql`SELECT * FROM users WHERE id = ${id}`.execute(db);
  const posts = await sql`SELECT * FROM posts WHERE author_id = ${id}`.execute(db);
  return { users: users.rows, posts: posts.rows };
}
