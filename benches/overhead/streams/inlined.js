export async function run(input) {
  const cache = new StreamCache();
  const cursor = cache.cursor();
  open(input, cache);
  const size = input.size;
  let length = 0;
  while (!cursor.isDone()) {
    if (cursor.offset < 0) {
      throw new Error("the cursor is before the cache");
    }
    while (cursor.offset > cache.total - size) {
      if (cache.ended) {
        break;
      }
      await cache.signal.wait();
    }
    const place = cache.locate(cursor.offset);
    if (place[0] >= cache.chunks.length) {
      break;
    }
    const piece = cache.chunks[place[0]].slice(place[1], place[1] + size);
    cursor.offset += piece.length;
    length += piece.length;
  }
  cursor.drop();
  return length;
}
