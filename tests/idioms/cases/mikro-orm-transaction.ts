import { MikroORM } from "@mikro-orm/postgresql";
import { Post, PostSchema, User, UserSchema } from "./mikro-orm-entities.js";

const orm = await MikroORM.init({
  entities: [UserSchema, PostSchema],
  clientUrl: process.env.DATABASE_URL,
});

export async function page(id: number) {
  return orm.em.fork().transactional(async (em) => {
    const user = await em.findOne(User, { id });
    const posts = await em.find(Post, { author: id });
    return { user, posts };
  });
}
