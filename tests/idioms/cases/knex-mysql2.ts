import knex from "knex";

const db = knex({
  client: "mysql2",
  connection: {
    host: "127.0.0.1",
    port: Number(process.env.MYSQL_PORT),
    user: "root",
    database: "test",
  },
});

export async function page(id: number) {
  const user = await db("users").where({ id }).first();
  const posts = await db("posts").where("author_id", id).orderBy("title");
  return { user, posts };
}
