export async function run(input) {
  const cache = new StreamCache();
  const cursor = cache.cursor();
  open(input, cache);
  let length = 0;
  while (!cursor.isDone()) {
    const piece = await cursor.nextDirectly(input.size);
    length += piece.length;
  }
  cursor.drop();
  return length;
}
