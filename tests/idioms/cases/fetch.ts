const api = process.env.API_URL;

export async function page(id: number) {
  const users = await fetch(`${api}/users/${id}`);
  const posts = await fetch(`${api}/posts/`);
  return [await users.json(), await posts.json()];
}
