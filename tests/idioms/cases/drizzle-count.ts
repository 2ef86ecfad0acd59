import { drizzle } from "drizzle-orm/node-postgres";
import { posts, users } from "./drizzle-schema.js";

const db = drizzle(process.env.DATABASE_URL);

export async function page() {
  const userCount = await db.$count(users);
  const postCount = await db.$count(posts);
  return { userCount, postCount };
}
