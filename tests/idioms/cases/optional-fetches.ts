const api = process.env.API_URL;

export async function page(id: number) {
  let user = null;
  try {
    const response = await fetch(`${api}/users/${id}`);
    user = await response.json();
  } catch (error) {
    console.warn("no user", error);
  }
  let posts = [];
  try {
    const response = await fetch(`${api}/posts/?author=${id}`);
    posts = await response.json();
  } catch (error) {
    console.warn("no posts", error);
  }
  return { user, posts };
}
