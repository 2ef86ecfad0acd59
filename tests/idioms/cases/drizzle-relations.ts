import { drizzle } from "drizzle-orm/node-postgres";
import * as schema from "./drizzle-schema.js";

const db = drizzle(process.env.DATABASE_URL, { schema });

export async function page() {
  const users = await db.query.users.findMany({ with: { posts: true } });
  const tags = await db.query.tags.findMany({ limit: 10 });
  return { users, tags };
}
