interface Owner {
  readonly name: string;
  readonly waiting: Set<() => void>;
  taken: number;
}

/**
 * Turns that owners share. An owner has at most `maxPerOwner` turns at once, and gets another only while it has fewer
 * than are free. So the last free turns never go to an owner with many, and a new owner finds one even if others keep
 * theirs. A released turn goes to the owner with the fewest turns.
 */
export class FairTurns {
  private readonly owners = new Map<string, Owner>();
  private readonly queue = new Set<Owner>();

  constructor(
    private readonly maxPerOwner: number,
    private free: number,
  ) {}

  /** Resolves to a function that releases the turn, or to undefined if no turn is free within `withinMs`. */
  take(name: string, withinMs?: number): Promise<(() => void) | undefined> {
    const owner = this.owners.get(name) ?? { name, waiting: new Set(), taken: 0 };
    this.owners.set(name, owner);
    if (owner.waiting.size === 0 && this.mayTake(owner)) return Promise.resolve(this.give(owner));
    return new Promise((resolve) => {
      const proceed = (): void => {
        clearTimeout(timer);
        this.leave(owner, proceed);
        resolve(this.give(owner));
      };
      const giveUp = (): void => {
        this.leave(owner, proceed);
        this.forgetIdle(owner);
        resolve(undefined);
      };
      const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs);
      owner.waiting.add(proceed);
      this.queue.add(owner);
    });
  }

  private mayTake({ taken }: Owner): boolean {
    return taken < Math.min(this.maxPerOwner, this.free);
  }

  private give(owner: Owner): () => void {
    owner.taken++;
    this.free--;
    return () => {
      owner.taken--;
      this.free++;
      this.forgetIdle(owner);
      this.goOn();
    };
  }

  private goOn(): void {
    for (;;) {
      let fewest: Owner | undefined;
      for (const owner of this.queue) if (fewest === undefined || owner.taken < fewest.taken) fewest = owner;
      if (fewest === undefined || !this.mayTake(fewest)) return;
      for (const proceed of fewest.waiting) {
        proceed();
        break;
      }
    }
  }

  private leave(owner: Owner, waiting: () => void): void {
    owner.waiting.delete(waiting);
    if (owner.waiting.size === 0) this.queue.delete(owner);
  }

  private forgetIdle(owner: Owner): void {
    if (owner.taken === 0 && owner.waiting.size === 0) this.owners.delete(owner.name);
  }
}
