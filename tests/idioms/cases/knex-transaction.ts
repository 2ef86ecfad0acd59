import knex from "knex";

const db = knex({ client: "pg", connection: process.env.DATABASE_URL });

export async function page(id: number) {
  return db.transaction(async (trx) => {
    const user = await trx("users").where({ id }).first();
    const posts = await trx("posts").where("author_id", id);
    return { user, posts };
  });
}
