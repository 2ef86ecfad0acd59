import knex from "knex";

const db = knex({
  client: "better-sqlite3",
  connection: { filename: process.env.SQLITE_FILE },
  useNullAsDefault: true,
});

export async function page(id: number) {
  const user = await db("users").where({ id }).first();
  const posts = await db("posts").where("author_id", id).orderBy("title");
  return { user, posts };
}
