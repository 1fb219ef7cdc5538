/** Items of one owner, first in, first out. Taking the first item does not move the others. */
class Line<Item> {
  /** The cost that the owner may still spend before the turn of the next owner. */
  credit = 0;
  private items: ({ readonly item: Item; readonly cost: number } | undefined)[] = [];
  private head = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  get firstCost(): number {
    return this.items[this.head]?.cost ?? 0;
  }

  push(item: Item, cost: number): void {
    this.items.push({ item, cost });
  }

  unshift(item: Item, cost: number): void {
    if (this.head > 0) this.items[--this.head] = { item, cost };
    else this.items.unshift({ item, cost });
  }

  shift(): Item {
    const first = this.items[this.head] as { readonly item: Item; readonly cost: number };
    this.items[this.head++] = undefined;
    if (this.head === this.items.length || this.head > 1_024) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    this.credit -= first.cost;
    return first.item;
  }
}

/**
 * A queue in which owners take turns (deficit round robin, Shreedhar and Varghese 1995). In each round every owner with
 * waiting items may spend `quantum`. It keeps the unspent part while it has items. So each owner gets an equal share of the
 * cost that is served, however many items the others have. The first item of an owner waits for at most
 * `owners × (cost ÷ quantum + 1)` turns.
 *
 * The time to add or take an item does not depend on the number of waiting items.
 */
export class FairQueue<Item> {
  /** By owner, in the order of their turns. */
  private readonly lines = new Map<string, Line<Item>>();
  private count = 0;

  constructor(private readonly quantum = 1) {}

  get length(): number {
    return this.count;
  }

  lengthOf(owner: string): number {
    return this.lines.get(owner)?.length ?? 0;
  }

  push(owner: string, item: Item, cost = 1): void {
    this.lineOf(owner).push(item, cost);
    this.count++;
  }

  /** Adds an item in front of the other waiting items of the owner. */
  unshift(owner: string, item: Item, cost = 1): void {
    this.lineOf(owner).unshift(item, cost);
    this.count++;
  }

  /** Takes the item whose turn it is. Skips owners that may not be served now. Returns undefined if no item is left. */
  shift(mayServe: (owner: string) => boolean = () => true): Item | undefined {
    if (this.count === 0) return undefined;
    return this.serveRound(mayServe) ?? (this.skipRounds(mayServe) ? this.serveRound(mayServe) : undefined);
  }

  private lineOf(owner: string): Line<Item> {
    let line = this.lines.get(owner);
    if (line === undefined) this.lines.set(owner, (line = new Line()));
    return line;
  }

  private serveRound(mayServe: (owner: string) => boolean): Item | undefined {
    let left = this.lines.size;
    for (const [owner, line] of this.lines) {
      if (left-- === 0) return undefined;
      if (!mayServe(owner)) continue;
      if (line.credit < line.firstCost) line.credit += this.quantum;
      if (line.credit >= line.firstCost) return this.serve(owner, line);
      this.toTheBack(owner, line);
    }
    return undefined;
  }

  private serve(owner: string, line: Line<Item>): Item {
    const item = line.shift();
    this.count--;
    if (line.length === 0) this.lines.delete(owner);
    else if (line.credit < line.firstCost) this.toTheBack(owner, line);
    return item;
  }

  /** Adds the credit of all rounds in which no owner could afford its first item, in one step. */
  private skipRounds(mayServe: (owner: string) => boolean): boolean {
    const able = [...this.lines].filter(([owner]) => mayServe(owner)).map(([, line]) => line);
    if (able.length === 0) return false;
    const rounds = able.map(({ credit, firstCost }) => Math.ceil((firstCost - credit) / this.quantum) - 1);
    const skipped = Math.max(0, Math.min(...rounds));
    for (const line of able) line.credit += skipped * this.quantum;
    return true;
  }

  private toTheBack(owner: string, line: Line<Item>): void {
    this.lines.delete(owner);
    this.lines.set(owner, line);
  }
}

/** Where both kinds of mail wait, one turn in this many is that of bulk mail. */
export const bulkTurnEvery = 8;

/**
 * Decides whose turn it is where transactional mail and bulk mail wait for the same thing. Transactional mail goes first,
 * and bulk mail still gets one turn in `bulkTurnEvery`, so that neither stops the other. What a kind does not use goes to
 * the other one.
 */
export class BulkTurns {
  /** Turns of transactional mail in a row while bulk mail waited. */
  private passed = 0;

  /** Whether the next turn is that of bulk mail. To be called once for each turn. */
  isBulks(transactionalWaits: boolean, bulkWaits: boolean): boolean {
    if (!bulkWaits) return false;
    if (transactionalWaits && ++this.passed < bulkTurnEvery) return false;
    this.passed = 0;
    return true;
  }
}
