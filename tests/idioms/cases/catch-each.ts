import { Pool } from "pg";

const pool = new Pool();

export async function page(id: number) {
  const user = await pool.query("SELECT * FROM users WHERE id = $1", [id]).catch(() => null);
  const posts = await pool
    .query("SELECT * FROM posts WHERE author_id = $1", [id])
    .catch(() => ({ rows: [] }));
  return { user: user?.rows, posts: posts.rows };
}
