import { DataSource } from "typeorm";
import { Post, User } from "./typeorm-entities.js";

const source = new DataSource({
  type: "postgres",
  url: process.env.DATABASE_URL,
  entities: [User, Post],
});
await source.initialize();
const users = source.getRepository(User);
const posts = source.getRepository(Post);

export async function page(id: number) {
  const user = await users.findOneBy({ id });
  const list = await posts.find({ where: { author: { id } } });
  return { user, list };
}
