import { Pool } from "pg";

const pool = new Pool();

export async function page(id: number) {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const user = await client.query("SELECT * FROM users WHERE id = $1", [id]);
    const posts = await client.query("SELECT * FROM posts WHERE author_id = $1", [id]);
    await client.query("COMMIT");
    return { user: user.rows[0], posts: posts.rows };
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}
