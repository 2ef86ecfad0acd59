import axios from "axios";

const api = axios.create({ baseURL: process.env.API_URL, timeout: 5000 });

export async function page(id: number) {
  const user = await api.get(`/users/${id}`);
  const posts = await api.get("/posts/", { params: { author: id } });
  return { user: user.data, posts: posts.data };
}
