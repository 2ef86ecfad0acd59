import { Redis } from "@upstash/redis";

const redis = Redis.fromEnv();

export async function page(id: number) {
  const user = await redis.get(`user:${id}`);
  const posts = await redis.smembers(`posts:${id}`);
  return { user, posts };
}
