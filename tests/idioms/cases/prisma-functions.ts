import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@prisma/client";

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL });
const prisma = new PrismaClient({ adapter });
const userOf = (id: number) => prisma.user.findUnique({ where: { id } });
const postsOf = (id: number) => prisma.post.findMany({ where: { authorId: id } });

export async function page(id: number) {
  const user = await userOf(id);
  const posts = await postsOf(id);
  return { user, posts };
}
