import { request } from "undici";

const api = process.env.API_URL;

export async function page(id: number) {
  const user = await request(`${api}/users/${id}`);
  console.log("user is there");
  const posts = await request(`${api}/posts/`);
  return [await user.body.json(), await posts.body.json()];
}
