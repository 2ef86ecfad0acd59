// CommonJS, as its name says.
async function one(n: number): Promise<number> {
  return n;
}

async function two(n: number) {
  const got = await one(n);
  return got + (await one(got));
}

export = { two };
