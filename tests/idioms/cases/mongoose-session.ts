import mongoose from "mongoose";

const User = mongoose.model("User", new mongoose.Schema({ _id: Number, name: String }));
const Post = mongoose.model(
  "Post",
  new mongoose.Schema({ _id: Number, author: Number, title: String }),
);

await mongoose.connect(process.env.MONGODB_URL);

export async function page(id: number) {
  const session = await mongoose.startSession();
  try {
    session.startTransaction();
    const user = await User.findById(id).session(session);
    const posts = await Post.find({ author: id }).session(session);
    await session.commitTransaction();
    return { user, posts };
  } finally {
    await session.endSession();
  }
}
