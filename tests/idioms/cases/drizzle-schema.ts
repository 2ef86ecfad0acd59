import { relations } from "drizzle-orm";
import { integer, pgTable, text } from "drizzle-orm/pg-core";

export const users = pgTable("users", { id: integer("id").primaryKey(), name: text("name") });
export const posts = pgTable("posts", {
  id: integer("id").primaryKey(),
  authorId: integer("author_id"),
  title: text("title"),
});
export const tags = pgTable("tags", { id: integer("id").primaryKey(), name: text("name") });

export const usersRelations = relations(users, ({ many }) => ({ posts: many(posts) }));
export const postsRelations = relations(posts, ({ one }) => ({
  author: one(users, { fields: [posts.authorId], references: [users.id] }),
}));
