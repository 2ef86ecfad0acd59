import { Pool } from "pg";

const pool = new Pool();

async function userOf(id: number) {
  try {
    return await pool.query("SELECT * FROM users WHERE id = $1", [id]);
  } catch {
    return null;
  }
}

async function postsOf(id: number) {
  try {
    return await pool.query("SELECT * FROM posts WHERE author_id = $1", [id]);
  } catch {
    return null;
  }
}

export async function page(id: number) {
  const user = await userOf(id);
  const posts = await postsOf(id);
  return { user: user?.rows, posts: posts?.rows };
}
