import knex from "knex";

const db = knex({ client: "pg", connection: process.env.DATABASE_URL });

export async function page(id: number) {
  const users = await db.raw("SELECT * FROM users WHERE id = ?", [id]);
  const [{ count }] = await db("posts").count();
  return { users: users.rows, count };
}
