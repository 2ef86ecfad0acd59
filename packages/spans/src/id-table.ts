/** How many slots there are to begin with: a power of two, as always. */
const FIRST = 8192;

/**
 * Finds numbers by ids, which are whole numbers above 0: a hash table with open addressing. A `Map` of so many numbers that are
 * no small integers takes several times the room and the time, as each of them is an object there.
 */
export class IdTable {
  private size = 0;
  /** The id in each slot; 0 where there is none. At most half of them are taken, so that each search ends soon. */
  private ids = new Float64Array(FIRST);
  /** The number in each slot; -1 where there is none. */
  private numbers = new Int32Array(FIRST).fill(-1);

  /** The number of an id; -1 where it has none. */
  get(id: number): number {
    return this.numbers[this.slotOf(id)] ?? -1;
  }

  set(id: number, number: number): void {
    let slot = this.slotOf(id);
    if (this.ids[slot] !== id) {
      if (2 * ++this.size > this.ids.length) {
        this.grow();
        slot = this.slotOf(id);
      }
      this.ids[slot] = id;
    }
    this.numbers[slot] = number;
  }

  /** Where an id is, or would be. */
  private slotOf(id: number): number {
    const last = this.ids.length - 1;
    const low = Math.imul(id, 0x9e3779b1);
    let slot = (low ^ (low >>> 15)) & last;
    for (let found = this.ids[slot]; found !== 0 && found !== id; found = this.ids[slot]) {
      slot = (slot + 1) & last;
    }
    return slot;
  }

  private grow(): void {
    const { ids, numbers } = this;
    this.ids = new Float64Array(2 * ids.length);
    this.numbers = new Int32Array(2 * ids.length).fill(-1);
    ids.forEach((id, at) => {
      if (id === 0) return;
      const slot = this.slotOf(id);
      this.ids[slot] = id;
      this.numbers[slot] = numbers[at] ?? -1;
    });
  }
}
