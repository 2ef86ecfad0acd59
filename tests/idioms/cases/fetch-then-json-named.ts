const api = process.env.API_URL;

export async function page(id: number) {
  const user = await fetch(`${api}/users/${id}`).then((r) => r.json());
  console.log("user is there");
  const posts = await fetch(`${api}/posts/?author=${id}`).then((r) => r.json());
  return { user, posts };
}
