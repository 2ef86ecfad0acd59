import Database from "better-sqlite3";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

const users = sqliteTable("users", { id: integer("id").primaryKey(), name: text("name") });
const posts = sqliteTable("posts", {
  id: integer("id").primaryKey(),
  authorId: integer("author_id"),
  title: text("title"),
});
const db = drizzle(new Database(process.env.SQLITE_FILE));

export async function page(id: number) {
  const user = await db.select().from(users).where(eq(users.id, id));
  const list = await db.select().from(posts).where(eq(posts.authorId, id));
  return { user, list };
}
