export async function run(input) {
  const cache = new StreamCache();
  const cursor = cache.cursor();
  open(input, cache);
  let length = 0;
  while (!cursor.isDone()) {
    let piece = cursor.peek(input.size);
    if (piece === "") {
      piece = await cursor.next(input.size);
    }
    length += piece.length;
  }
  cursor.drop();
  return length;
}
