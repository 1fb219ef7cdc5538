import { BulkTurns, FairQueue } from '#kernel';
import type { SmtpTransaction } from './smtp-transaction.js';

/** Bytes that a team sends per turn, and the minimum cost of a message. */
const quantum = 65_536;
const minCost = 4_096;

/** The messages of one kind. The head has been taken out of its team's turn and waits for room. */
class Line {
  readonly #queue = new FairQueue<SmtpTransaction>(quantum);
  head: SmtpTransaction | undefined;

  get length(): number {
    return this.#queue.length + (this.head === undefined ? 0 : 1);
  }

  push(transaction: SmtpTransaction): void {
    this.#queue.push(transaction.message.teamId, transaction, costOf(transaction));
  }

  unshift(transaction: SmtpTransaction): void {
    this.#queue.unshift(transaction.message.teamId, transaction, costOf(transaction));
  }

  peek(mayServe: (teamId: string) => boolean): SmtpTransaction | undefined {
    return (this.head ??= this.#queue.shift(mayServe));
  }

  takeAll(): SmtpTransaction[] {
    const all = this.head === undefined ? [] : [this.head];
    this.head = undefined;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) all.push(next);
    return all;
  }
}

/**
 * Messages without content, in the order of their turns: transactional mail before bulk mail (see `BulkTurns`), and within
 * each kind team by team.
 */
export class TransactionQueue {
  readonly #transactional = new Line();
  readonly #bulk = new Line();
  readonly #turns = new BulkTurns();
  /** The line whose turn it is, until `take`. */
  #turnOf: Line | undefined;

  get length(): number {
    return this.#transactional.length + this.#bulk.length;
  }

  push(transaction: SmtpTransaction): void {
    this.#of(transaction).push(transaction);
  }

  /** Adds a message in front of the others of its kind and team. */
  unshift(transaction: SmtpTransaction): void {
    this.#of(transaction).unshift(transaction);
  }

  /** The message whose turn it is, of the kinds and teams that may be served now. `take` removes it. */
  next(
    mayTransactional: boolean,
    mayBulk: boolean,
    mayServe: (teamId: string) => boolean,
  ): SmtpTransaction | undefined {
    const transactional = mayTransactional ? this.#transactional.peek(mayServe) : undefined;
    const bulk = mayBulk ? this.#bulk.peek(mayServe) : undefined;
    if (transactional === undefined || bulk === undefined) {
      this.#turnOf = transactional === undefined ? this.#bulk : this.#transactional;
      return transactional ?? bulk;
    }
    this.#turnOf ??= this.#turns.isBulks(true, true) ? this.#bulk : this.#transactional;
    return this.#turnOf.head;
  }

  /** Removes the message that `next` has returned. */
  take(): SmtpTransaction | undefined {
    const line = this.#turnOf;
    const taken = line?.head;
    this.#turnOf = undefined;
    if (line !== undefined) line.head = undefined;
    return taken;
  }

  takeAll(): SmtpTransaction[] {
    return [...this.#transactional.takeAll(), ...this.#bulk.takeAll()];
  }

  #of({ message }: SmtpTransaction): Line {
    return message.isBulk === true ? this.#bulk : this.#transactional;
  }
}

function costOf({ message }: SmtpTransaction): number {
  return Math.max(minCost, message.size);
}
