import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@prisma/client";

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL });
const prisma = new PrismaClient({ adapter });

export async function pair(first: number, second: number) {
  const author = await prisma.user.findUnique({ where: { id: first } });
  const reader = await prisma.user.findUnique({ where: { id: second } });
  return { author, reader };
}
