import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { posts, users } from "./drizzle-schema.js";

const db = drizzle(process.env.DATABASE_URL);

export async function page(id: number) {
  return db.transaction(async (tx) => {
    const user = await tx.select().from(users).where(eq(users.id, id));
    const list = await tx.select().from(posts).where(eq(posts.authorId, id));
    return { user, list };
  });
}
