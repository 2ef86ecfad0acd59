import { Pool } from "pg";

const pool = new Pool();

export async function page(id: number) {
  const {
    rows: [user],
  } = await pool.query("SELECT * FROM users WHERE id = $1", [id]);
  const { rows: posts } = await pool.query("SELECT * FROM posts WHERE author_id = $1", [id]);
  return { user, posts };
}
