import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@prisma/client";

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL });
const prisma = new PrismaClient({ adapter });

export async function page() {
  const users = await prisma.$queryRawUnsafe("SELECT * FROM users");
  const posts = await prisma.$queryRawUnsafe("SELECT * FROM posts");
  return { users, posts };
}
