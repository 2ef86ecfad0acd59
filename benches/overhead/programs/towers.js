// Towers of Hanoi: disks are linked into three piles, and all of them go from the first to the second.
class Disk {
  constructor(size) {
    this.size = size;
    this.below = null;
  }
}

class Towers {
  constructor() {
    this.piles = [null, null, null];
    this.moved = 0;
  }

  put(disk, pile) {
    const top = this.piles[pile];
    if (top !== null && top.size <= disk.size) {
      throw new Error("a disk may only lie on a larger one");
    }
    disk.below = top;
    this.piles[pile] = disk;
  }

  take(pile) {
    const top = this.piles[pile];
    if (top === null) {
      throw new Error("the pile is empty");
    }
    this.piles[pile] = top.below;
    top.below = null;
    return top;
  }

  moveTop(from, to) {
    this.put(this.take(from), to);
    this.moved += 1;
  }

  stack(pile, disks) {
    for (let size = disks; size > 0; size -= 1) {
      this.put(new Disk(size), pile);
    }
  }

  moveAll(disks, from, to) {
    if (disks === 1) {
      this.moveTop(from, to);
      return;
    }
    const spare = 3 - from - to;
    this.moveAll(disks - 1, from, spare);
    this.moveTop(from, to);
    this.moveAll(disks - 1, spare, to);
  }
}

export function run(disks) {
  const towers = new Towers();
  towers.stack(0, disks);
  towers.moveAll(disks, 0, 1);
  return towers.moved;
}
