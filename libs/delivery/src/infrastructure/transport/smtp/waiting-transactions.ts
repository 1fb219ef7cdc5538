import { FairQueue } from '#kernel';
import type { SmtpTransaction } from './smtp-transaction.js';

/** What a team sends in its turn, in bytes, and what the smallest message counts. */
const quantum = 65_536;
const minCost = 4_096;
/** Content that is ready before a connection is free for it, in bytes: what more is wanted ahead waits until one is. */
const maxBytesAhead = 1024 * 1024;

/**
 * The messages of a pool that no connection has taken: those without content, of which teams get theirs sent in turns, and
 * those whose content is being read or is there.
 */
export class WaitingTransactions {
  readonly #queue = new FairQueue<SmtpTransaction>(quantum);
  readonly #ready: SmtpTransaction[] = [];
  readonly #preparing = new Set<SmtpTransaction>();
  #bytesAhead = 0;

  constructor(private readonly onPrepared: () => void) {}

  get isEmpty(): boolean {
    return this.length === 0;
  }

  get length(): number {
    return this.#queue.length + this.#preparing.size + this.#ready.length;
  }

  /** Content is there. */
  get ready(): number {
    return this.#ready.length;
  }

  /** Content is there or on its way. */
  get ahead(): number {
    return this.#preparing.size + this.#ready.length;
  }

  /** Nobody has asked for the content. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Whether more content may be read before a connection is free for it. */
  get mayReadAhead(): boolean {
    return this.#bytesAhead < maxBytesAhead;
  }

  push(transaction: SmtpTransaction): void {
    this.#queue.push(transaction.message.teamId, transaction, costOf(transaction));
  }

  /** It waits again, in front of the others of its team and without content. */
  putBack(transaction: SmtpTransaction): void {
    transaction.releaseContent();
    this.#queue.unshift(transaction.message.teamId, transaction, costOf(transaction));
  }

  /** Has the content read of the message whose turn it is. */
  prepareNext(): void {
    const transaction = this.#queue.shift();
    if (transaction === undefined) return;
    this.#preparing.add(transaction);
    this.#bytesAhead += transaction.message.size;
    void transaction.prepare().then(() => {
      this.#preparing.delete(transaction);
      if (transaction.isSettled) this.#bytesAhead -= transaction.message.size;
      else this.#ready.push(transaction);
      this.onPrepared();
    });
  }

  /** The next one with content, unless it is larger than that. */
  take(maxBytes: number): SmtpTransaction | undefined {
    if ((this.#ready[0]?.message.size ?? 0) > maxBytes) return undefined;
    const transaction = this.#ready.shift();
    if (transaction !== undefined) this.#bytesAhead -= transaction.message.size;
    return transaction;
  }

  /** There is no connection any more: what waits for one holds no content. */
  giveContentBack(): void {
    for (let last = this.#takeLast(); last !== undefined; last = this.#takeLast()) this.putBack(last);
  }

  /** Everything, to be ended. */
  takeAll(): SmtpTransaction[] {
    this.giveContentBack();
    const all = [...this.#preparing];
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) all.push(next);
    return all;
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
