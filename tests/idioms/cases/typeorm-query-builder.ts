import { DataSource } from "typeorm";
import { Post, User } from "./typeorm-entities.js";

const source = new DataSource({
  type: "postgres",
  url: process.env.DATABASE_URL,
  entities: [User, Post],
});
await source.initialize();

export async function page(id: number) {
  const user = await source
    .getRepository(User)
    .createQueryBuilder("user")
    .where("user.id = :id", { id })
    .getOne();
  const count = await source.getRepository(Post).count();
  return { user, count };
}
