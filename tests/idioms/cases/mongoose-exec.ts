import mongoose from "mongoose";

const User = mongoose.model("User", new mongoose.Schema({ _id: Number, name: String }));
const Post = mongoose.model(
  "Post",
  new mongoose.Schema({ _id: Number, author: Number, title: String }),
);

await mongoose.connect(process.env.MONGODB_URL);

export async function page(id: number) {
  const user = await User.findById(id).lean().exec();
  const posts = await Post.find({ author: id }).select("title").lean().exec();
  return { user, posts };
}
