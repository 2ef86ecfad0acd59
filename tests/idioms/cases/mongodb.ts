import { MongoClient } from "mongodb";

const client = new MongoClient(process.env.MONGODB_URL);
const db = client.db("test");

export async function page(id: number) {
  const user = await db.collection("users").findOne({ _id: id });
  const posts = await db.collection("posts").find({ author: id }).toArray();
  return { user, posts };
}
