import { EntitySchema } from "@mikro-orm/core";

export class User {
  id: number;
  name: string;
}

export class Post {
  id: number;
  title: string;
  author: User;
}

export const UserSchema = new EntitySchema<User>({
  class: User,
  tableName: "users",
  properties: { id: { type: "number", primary: true }, name: { type: "string" } },
});

export const PostSchema = new EntitySchema<Post>({
  class: Post,
  tableName: "posts",
  properties: {
    id: { type: "number", primary: true },
    title: { type: "string" },
    author: { kind: "m:1", entity: () => User },
  },
});
