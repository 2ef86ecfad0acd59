export function run(input) {
  const cache = new StreamCache();
  const cursor = cache.cursor();
  const stream = open(input, cache);
  cursor.drop();
  return new Promise((resolve) => {
    stream.on("end", () => resolve(cache.total));
  });
}
