import { QueryTypes, Sequelize } from "sequelize";

const sequelize = new Sequelize(process.env.DATABASE_URL);

export async function page() {
  const users = await sequelize.query("SELECT * FROM users", { type: QueryTypes.SELECT });
  const posts = await sequelize.query("SELECT * FROM posts", { type: QueryTypes.SELECT });
  return { users, posts };
}
