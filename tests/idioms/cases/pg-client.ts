import { Client } from "pg";

const client = new Client();
await client.connect();

export async function page(id: number) {
  const user = await client.query("SELECT * FROM users WHERE id = $1", [id]);
  const posts = await client.query("SELECT * FROM posts WHERE author_id = $1", [id]);
  return { user: user.rows[0], posts: posts.rows };
}
