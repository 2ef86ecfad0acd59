import { Pool } from "pg";

const pool = new Pool();

export async function page(id: number) {
  const user = await pool.query("SELECT * FROM users WHERE id = $1", [id]);
  const name = user.rows[0].name.toUpperCase();
  console.log(name);
  return await Promise.all([
    pool.query("SELECT * FROM posts WHERE author_id = $1", [id]),
    pool.query("SELECT * FROM tags"),
  ]);
}
