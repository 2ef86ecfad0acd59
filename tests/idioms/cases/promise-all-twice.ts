import { Pool } from "pg";

const pool = new Pool();

export async function page(id: number) {
  const [user, tags] = await Promise.all([
    pool.query("SELECT * FROM users WHERE id = $1", [id]),
    pool.query("SELECT * FROM tags"),
  ]);
  const [posts, count] = await Promise.all([
    pool.query("SELECT * FROM posts WHERE author_id = $1", [id]),
    pool.query("SELECT count(*) FROM tags"),
  ]);
  return [user.rows, tags.rows, posts.rows, count.rows];
}
