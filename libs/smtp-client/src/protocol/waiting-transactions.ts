import { FairQueue } from '#kernel';
import type { SmtpTransaction } from './smtp-transaction.js';

/** What a team sends in its turn, in bytes, and what the smallest message counts. */
const quantum = 65_536;
const minCost = 4_096;
/** Content that is ready before a connection is free for it, in bytes: what more is wanted ahead waits until one is. */
const maxBytesAhead = 1024 * 1024;
/** How long content waits for a connection while other mail waits for its memory. */
const maxReadyMs = 5_000;
const lookEveryMs = 1_000;
/** Messages of one team whose content waits for memory: more of them would only wait behind these. */
const maxHeldUpPerTeam = 4;

/** How far the reading of content has come. It is `held up` where the memory was not granted at once. */
type Preparation = 'asked' | 'held up' | 'granted';

/**
 * The messages of a pool that no connection has taken: those without content, of which teams get theirs sent in turns, and
 * those whose content is being read or is there.
 */
export class WaitingTransactions {
  readonly #queue = new FairQueue<SmtpTransaction>(quantum);
  readonly #ready: SmtpTransaction[] = [];
  readonly #preparing = new Map<SmtpTransaction, Preparation>();
  /** Asked for within this turn of the event loop, at whose end memory that is there has been granted. */
  readonly #justAsked: SmtpTransaction[] = [];
  readonly #heldUpOf = new Map<string, number>();
  #heldUp = 0;
  /** Taken from the queue in its turn; there may be no room for its content yet. */
  #next: SmtpTransaction | undefined;
  #bytesAhead = 0;
  /** False from when content gave way until the host goes on. */
  #readsAhead = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly onPrepared: () => void) {}

  get isEmpty(): boolean {
    return this.length === 0;
  }

  get length(): number {
    return this.#queue.length + (this.#next === undefined ? 0 : 1) + this.#preparing.size + this.#ready.length;
  }

  /** Content is there. */
  get ready(): number {
    return this.#ready.length;
  }

  /** Content is there or on its way. What waits for memory does not count: a team without any would stop the others. */
  get ahead(): number {
    return this.#preparing.size - this.#heldUp + this.#ready.length;
  }

  /**
   * Whether content may be asked for: of at most `maxAhead` messages, and beyond `maxBytesAhead` of as many as there are
   * `idle` connections.
   */
  mayPrepare(maxAhead: number, idle: number): boolean {
    if (this.ahead >= maxAhead) return false;
    this.#next ??= this.#queue.shift((teamId) => (this.#heldUpOf.get(teamId) ?? 0) < maxHeldUpPerTeam);
    if (this.#next === undefined) return false;
    const fitsAhead = this.#readsAhead && this.#bytesAhead + this.#next.message.size <= maxBytesAhead;
    return fitsAhead || this.ahead < idle;
  }

  push(transaction: SmtpTransaction): void {
    this.#queue.push(transaction.message.teamId, transaction, costOf(transaction));
  }

  /** It waits again, in front of the others of its team and without content. */
  putBack(transaction: SmtpTransaction): void {
    transaction.releaseContent();
    this.#queue.unshift(transaction.message.teamId, transaction, costOf(transaction));
  }

  /** Has the content read of the message whose turn it is, after `mayPrepare`. */
  prepareNext(): void {
    const transaction = this.#next;
    if (transaction === undefined) return;
    this.#next = undefined;
    this.#preparing.set(transaction, 'asked');
    this.#bytesAhead += transaction.message.size;
    if (this.#justAsked.push(transaction) === 1) setImmediate(() => this.#turnEnded());
    void transaction.prepare(() => this.#granted(transaction)).then(() => this.#prepared(transaction));
  }

  /** The next one with content, unless it is larger than that. */
  take(maxBytes: number): SmtpTransaction | undefined {
    if ((this.#ready[0]?.message.size ?? 0) > maxBytes) return undefined;
    const transaction = this.#ready.shift();
    if (transaction === undefined) return undefined;
    this.#readsAhead = true;
    this.#bytesAhead -= transaction.message.size;
    return transaction;
  }

  /** There is no connection any more: what waits for one holds no content. */
  giveContentBack(): void {
    for (let last = this.#takeLast(); last !== undefined; last = this.#takeLast()) this.putBack(last);
  }

  /** Everything, to be ended. What is still being read then is nobody's any more. */
  takeAll(): SmtpTransaction[] {
    this.giveContentBack();
    const all = [...this.#preparing.keys()];
    this.#preparing.clear();
    this.#heldUpOf.clear();
    this.#heldUp = 0;
    this.#bytesAhead = 0;
    if (this.#next !== undefined) all.push(this.#next);
    this.#next = undefined;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) all.push(next);
    return all;
  }

  #turnEnded(): void {
    const heldUp = this.#justAsked.splice(0).filter((transaction) => this.#preparing.get(transaction) === 'asked');
    for (const transaction of heldUp) {
      this.#preparing.set(transaction, 'held up');
      this.#countHeldUp(transaction, 1);
    }
    if (heldUp.length > 0) this.onPrepared();
  }

  #granted(transaction: SmtpTransaction): void {
    const preparation = this.#preparing.get(transaction);
    if (preparation === undefined) return;
    if (preparation === 'held up') this.#countHeldUp(transaction, -1);
    this.#preparing.set(transaction, 'granted');
  }

  #countHeldUp({ message: { teamId, size } }: SmtpTransaction, change: 1 | -1): void {
    const count = (this.#heldUpOf.get(teamId) ?? 0) + change;
    if (count === 0) this.#heldUpOf.delete(teamId);
    else this.#heldUpOf.set(teamId, count);
    this.#heldUp += change;
    this.#bytesAhead -= change * size;
  }

  #prepared(transaction: SmtpTransaction): void {
    this.#granted(transaction);
    if (!this.#preparing.delete(transaction)) return;
    if (transaction.isSettled) this.#bytesAhead -= transaction.message.size;
    else this.#ready.push(transaction);
    this.#timer ??= this.#lookLater();
    this.onPrepared();
  }

  #lookLater(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#giveWay();
      this.#timer = this.#ready.length > 0 ? this.#lookLater() : undefined;
    }, lookEveryMs).unref();
  }

  /** What no connection has taken for a while leaves its memory to the mail that waits for it. */
  #giveWay(): void {
    const giving = this.#ready.filter(
      ({ holdsUpOthers, hasContentForMs }) => holdsUpOthers && hasContentForMs >= maxReadyMs,
    );
    for (const transaction of giving.reverse()) {
      this.#readsAhead = false;
      this.#ready.splice(this.#ready.indexOf(transaction), 1);
      this.#bytesAhead -= transaction.message.size;
      this.putBack(transaction);
    }
  }

  #takeLast(): SmtpTransaction | undefined {
    const transaction = this.#ready.pop();
    if (transaction !== undefined) this.#bytesAhead -= transaction.message.size;
    return transaction;
  }
}

function costOf({ message }: SmtpTransaction): number {
  return Math.max(minCost, message.size);
}
