import mysql from "mysql2/promise";

const pool = mysql.createPool({
  host: "127.0.0.1",
  port: Number(process.env.MYSQL_PORT),
  user: "root",
  database: "test",
});

export async function page(id: number) {
  const [user] = await pool.query("SELECT * FROM users WHERE id = ?", [id]);
  const [posts] = await pool.query("SELECT * FROM posts WHERE author_id = ?", [id]);
  return { user, posts };
}
