import { DataTypes, Sequelize } from "sequelize";

const sequelize = new Sequelize(process.env.DATABASE_URL, {
  define: { timestamps: false, underscored: true },
});
const User = sequelize.define("User", { name: DataTypes.STRING }, { tableName: "users" });
const Post = sequelize.define(
  "Post",
  { authorId: DataTypes.INTEGER, title: DataTypes.STRING },
  { tableName: "posts" },
);

export async function page(id: number) {
  const user = await User.findByPk(id);
  const posts = await Post.findAll({ where: { authorId: id } });
  return { user, posts };
}
