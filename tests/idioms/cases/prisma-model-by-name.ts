import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@prisma/client";

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL });
const prisma = new PrismaClient({ adapter });

export async function paged(model: string, where: object) {
  const data = await prisma[model].findMany({ where });
  const count = await prisma[model].count({ where });
  return { data, count };
}
