import ky from "ky";

const api = process.env.API_URL;

export async function page(id: number) {
  const user = await ky.get(`${api}/users/${id}`).json();
  const posts = await ky(`${api}/posts/`).json();
  const tags = await ky(`${api}/tags/`);
  return { user, posts, tags };
}
