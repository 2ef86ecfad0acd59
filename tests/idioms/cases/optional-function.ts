import { Pool } from "pg";

const pool = new Pool();

async function optional(text: string, values: unknown[]) {
  try {
    const { rows } = await pool.query(`SELECT * FROM ${text}`, values);
    return rows;
  } catch (error) {
    console.log(`nothing from ${text}`);
    return [];
  }
}

export async function page(id: number) {
  const user = await optional("users WHERE id = $1", [id]);
  const posts = await optional("posts WHERE author_id = $1", [id]);
  return { user, posts };
}
