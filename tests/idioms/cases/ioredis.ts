import Redis from "ioredis";

const redis = new Redis(process.env.REDIS_URL);

export async function page(id: number) {
  const user = await redis.get(`user:${id}`);
  const posts = await redis.hgetall(`posts:${id}`);
  return { user, posts };
}
