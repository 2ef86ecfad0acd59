import got from "got";

const api = process.env.API_URL;

export async function page(id: number) {
  const user = await got(`${api}/users/${id}`).json();
  console.log("user is there");
  const posts = await got.get(`${api}/posts/`).json();
  const tags = await got(`${api}/tags/`);
  return { user, posts, tags };
}
