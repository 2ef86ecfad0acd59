import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@prisma/client";

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL });
const prisma = new PrismaClient({ adapter });

export async function page(id: number) {
  const users = await prisma.$queryRaw`SELECT * FROM users WHERE id = ${id}`;
  const posts = await prisma.$queryRaw`SELECT * FROM posts WHERE author_id = ${id}`;
  return { users, posts };
}
