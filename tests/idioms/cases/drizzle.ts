import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import { posts, users } from "./drizzle-schema.js";

const db = drizzle(new Pool({ max: 10 }));

export async function page(id: number) {
  const user = await db.select().from(users).where(eq(users.id, id));
  const list = await db.select().from(posts).where(eq(posts.authorId, id));
  return { user, list };
}
