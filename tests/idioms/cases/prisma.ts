import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@prisma/client";

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL });
const prisma = new PrismaClient({ adapter });

export async function page(id: number) {
  const user = await prisma.user.findUnique({ where: { id } });
  const posts = await prisma.post.findMany({ where: { authorId: id } });
  return { user, posts };
}
