import Database from "better-sqlite3";

const db = new Database(process.env.SQLITE_FILE);
const userOf = async (id: number) => db.prepare("SELECT * FROM users WHERE id = ?").get(id);
const postsOf = async (id: number) => db.prepare("SELECT * FROM posts WHERE author_id = ?").all(id);

export async function page(id: number) {
  const user = await userOf(id);
  const posts = await postsOf(id);
  return { user, posts };
}
