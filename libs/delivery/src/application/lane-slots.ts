import { BulkTurns, FairQueue } from '#kernel';

/** The right to hand a message over, for mail of one kind. */
export interface Slots {
  take(teamId: string): Promise<void>;
  release(): void;
}

/** From this many slots on, some are kept free of bulk mail. */
const minToKeep = 4;
/** Part of the slots that bulk mail never takes, so that a transactional message is handed over at once. */
const keptPart = 1 / 8;

/**
 * The messages of one lane that may be handed over at the same time. Bulk mail leaves some of them free, and where both kinds of
 * mail wait, transactional mail goes first: see `BulkTurns`. Teams take turns with their bulk mail.
 */
export class LaneSlots {
  readonly transactional: Slots = {
    take: () => this.take(),
    release: () => this.release(false),
  };
  readonly bulk: Slots = {
    take: (teamId) => this.take(teamId),
    release: () => this.release(true),
  };

  private readonly turns = new BulkTurns();
  private readonly waiting: (() => void)[] = [];
  private readonly waitingBulk = new FairQueue<() => void>();
  private readonly maxBulk: number;
  private taken = 0;
  private takenByBulk = 0;

  constructor(private readonly size: number) {
    this.maxBulk = size < minToKeep ? size : size - Math.ceil(size * keptPart);
  }

  /** With a team: for its bulk mail. */
  private take(bulkOf?: string): Promise<void> {
    const isBulk = bulkOf !== undefined;
    if (this.taken < this.size && (!isBulk || this.takenByBulk < this.maxBulk)) {
      this.count(isBulk, 1);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      if (isBulk) this.waitingBulk.push(bulkOf, resolve);
      else this.waiting.push(resolve);
    });
  }

  private release(isBulk: boolean): void {
    this.count(isBulk, -1);
    const mayBulk = this.waitingBulk.length > 0 && this.takenByBulk < this.maxBulk;
    const isBulks = this.turns.isBulks(this.waiting.length > 0, mayBulk);
    const next = isBulks ? this.waitingBulk.shift() : this.waiting.shift();
    if (next === undefined) return;
    this.count(isBulks, 1);
    next();
  }

  private count(isBulk: boolean, change: 1 | -1): void {
    this.taken += change;
    if (isBulk) this.takenByBulk += change;
  }
}
