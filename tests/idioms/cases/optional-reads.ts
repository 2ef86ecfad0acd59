import { Pool } from "pg";

const pool = new Pool();

export async function page(id: number) {
  let user;
  try {
    user = await pool.query("SELECT * FROM users WHERE id = $1", [id]);
  } catch {
    user = undefined;
  }
  let posts;
  try {
    posts = await pool.query("SELECT * FROM posts WHERE author_id = $1", [id]);
  } catch {
    posts = undefined;
  }
  return { user: user?.rows, posts: posts?.rows };
}
