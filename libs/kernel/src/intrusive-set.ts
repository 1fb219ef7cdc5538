/** An object that knows its place in an `IntrusiveSet`. Only the set writes it; -1 outside of one. */
export interface Placed {
  place: number;
}

/**
 * Objects that come and go by the thousand. Unlike a `Map` or a `Set`, it keeps nothing of what was removed.
 *
 * A `Map` that grows by its removed entries moves the others to a new table, and V8 lets the former table refer to the new one. Once a
 * former table is in the old generation, every later one is kept until the next full collection, with all that was in it: of
 * 400,000 objects of 10 KB, 40 at a time, 1,368 MB were copied there (11 MB without a `Map`), in pauses of 27 s (2 s).
 */
export class IntrusiveSet<Item extends Placed> implements Iterable<Item> {
  private readonly items: Item[] = [];

  get size(): number {
    return this.items.length;
  }

  has(item: Item): boolean {
    return this.items[item.place] === item;
  }

  add(item: Item): void {
    if (this.has(item)) return;
    item.place = this.items.push(item) - 1;
  }

  /** Returns whether it was there. The order of the others may change. */
  delete(item: Item): boolean {
    if (!this.has(item)) return false;
    const last = this.items.pop() as Item;
    if (last !== item) {
      this.items[item.place] = last;
      last.place = item.place;
    }
    item.place = -1;
    return true;
  }

  /** Nothing may be added or removed meanwhile. */
  [Symbol.iterator](): Iterator<Item> {
    return this.items[Symbol.iterator]();
  }
}
