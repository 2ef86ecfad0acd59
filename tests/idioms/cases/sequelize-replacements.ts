import { QueryTypes, Sequelize } from "sequelize";

const sequelize = new Sequelize(process.env.DATABASE_URL);

export async function page(id: number) {
  const users = await sequelize.query("SELECT * FROM users WHERE id = :id", {
    replacements: { id },
    type: QueryTypes.SELECT,
  });
  const posts = await sequelize.query("SELECT * FROM posts WHERE author_id = :id", {
    replacements: { id },
    type: QueryTypes.SELECT,
  });
  return { users, posts };
}
