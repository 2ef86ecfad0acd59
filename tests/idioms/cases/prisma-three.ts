import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@prisma/client";

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL });
const prisma = new PrismaClient({ adapter });

export async function page(id: number) {
  const user = await prisma.user.findUniqueOrThrow({ where: { id } });
  const count = await prisma.post.count({ where: { authorId: id } });
  const tag = await prisma.tag.findFirst({ orderBy: { id: "desc" } });
  return { user, count, tag };
}
