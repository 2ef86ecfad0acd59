// A tree of arrays, four to a node, with leaves of random length: work for the garbage collector.
class Random {
  constructor() {
    this.seed = 40961;
  }

  draw() {
    this.seed = (this.seed * 25173 + 13849) & 0xffff;
    return this.seed;
  }
}

class Storage {
  constructor() {
    this.arrays = 0;
    this.cells = 0;
  }

  grow(depth, random) {
    this.arrays += 1;
    if (depth === 1) {
      const leaf = new Array((random.draw() % 10) + 1);
      this.cells += leaf.length;
      return leaf;
    }
    const node = new Array(4);
    for (let i = 0; i < 4; i += 1) {
      node[i] = this.grow(depth - 1, random);
    }
    return node;
  }
}

export function run(depth) {
  const storage = new Storage();
  storage.grow(depth, new Random());
  return [storage.arrays, storage.cells];
}
