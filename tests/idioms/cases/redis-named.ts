import { createClient } from "redis";

const client = await createClient({ url: process.env.REDIS_URL })
  .on("error", (err) => console.log("Redis Client Error", err))
  .connect();

export async function page(id: number) {
  const user = await client.get(`user:${id}`);
  console.log("user is there");
  const posts = await client.hGetAll(`posts:${id}`);
  return { user, posts };
}
