import { createClient } from "@clickhouse/client";

const client = createClient({ url: process.env.CLICKHOUSE_URL });

export async function page() {
  const users = await client.query({ query: "SELECT * FROM users", format: "JSONEachRow" });
  const posts = await client.query({ query: "SELECT * FROM posts", format: "JSONEachRow" });
  return [await users.json(), await posts.json()];
}
