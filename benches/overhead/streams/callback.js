export function run(input) {
  const cache = new StreamCache();
  const cursor = cache.cursor();
  open(input, cache);
  let length = 0;
  return new Promise((resolve) => {
    const step = (piece) => {
      length += piece.length;
      if (cursor.isDone()) {
        cursor.drop();
        resolve(length);
        return;
      }
      void cache.readThen(cursor, input.size, step);
    };
    step("");
  });
}
