const api = process.env.API_URL;

export async function page(id: number) {
  const userResponse = await fetch(`${api}/users/${id}`);
  const user = await userResponse.json();
  const postsResponse = await fetch(`${api}/posts/?author=${id}`);
  const posts = await postsResponse.json();
  return { user, posts };
}
