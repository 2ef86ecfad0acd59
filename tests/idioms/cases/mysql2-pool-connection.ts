import mysql from "mysql2/promise";

const pool = mysql.createPool({
  host: "127.0.0.1",
  port: Number(process.env.MYSQL_PORT),
  user: "root",
  database: "test",
});

export async function page(id: number) {
  const connection = await pool.getConnection();
  try {
    const [user] = await connection.query("SELECT * FROM users WHERE id = ?", [id]);
    const [posts] = await connection.query("SELECT * FROM posts WHERE author_id = ?", [id]);
    return { user, posts };
  } finally {
    connection.release();
  }
}
