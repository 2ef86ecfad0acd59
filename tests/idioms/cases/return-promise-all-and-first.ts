import { Pool } from "pg";

const pool = new Pool();

export async function page(id: number) {
  const user = await pool.query("SELECT * FROM users WHERE id = $1", [id]);
  return await Promise.all([
    user.rows[0],
    pool.query("SELECT * FROM posts WHERE author_id = $1", [id]),
    pool.query("SELECT * FROM tags"),
  ]);
}
