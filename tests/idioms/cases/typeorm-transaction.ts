import { DataSource } from "typeorm";
import { Post, User } from "./typeorm-entities.js";

const source = new DataSource({
  type: "postgres",
  url: process.env.DATABASE_URL,
  entities: [User, Post],
});
await source.initialize();

export async function page(id: number) {
  return source.transaction(async (manager) => {
    const user = await manager.findOneBy(User, { id });
    const list = await manager.find(Post, { where: { author: { id } } });
    return { user, list };
  });
}
