import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";

const db = drizzle(process.env.DATABASE_URL);

export async function page(id: number) {
  const users = await db.execute(sql`SELECT * FROM users WHERE id = ${id}`);
  const posts = await db.execute(sql`SELECT * FROM posts WHERE author_id = ${id}`);
  return { users: users.rows, posts: posts.rows };
}
