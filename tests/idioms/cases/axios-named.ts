import axios from "axios";

const api = process.env.API_URL;

export async function page(id: number) {
  const { data: user } = await axios.get(`${api}/users/${id}`);
  console.log("user is there");
  const posts = await axios.get(`${api}/posts/`, { params: { author: id } });
  return { user, posts: posts.data };
}
