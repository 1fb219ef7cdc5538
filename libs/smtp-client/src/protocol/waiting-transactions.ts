import { BulkTurns, FairQueue, IntrusiveSet } from '#kernel';
import type { SmtpTransaction } from './smtp-transaction.js';

/** Maximum bytes of content that is ready before a connection is free. Further content waits until one is free. */
const maxBytesAhead = 1024 * 1024;
/** How long content may wait for a connection while other mail waits for its memory. */
const maxReadyMs = 5_000;
const lookEveryMs = 1_000;
/** Maximum number of messages of one team whose content waits for memory. More would only wait behind these. */
const maxHeldUpPerTeam = 4;

/** A message whose content is being read. It is `held up` if the memory was not granted at once. */
class Preparation {
  place = -1;
  state: 'asked' | 'held up' | 'granted' = 'asked';

  constructor(readonly transaction: SmtpTransaction) {}
}

/**
 * The messages of a pool that no connection has taken. Messages without content are queued, and teams take turns. The
 * content of the others is being read or is ready. Transactional mail and bulk mail each have their room ahead, so that
 * bulk mail whose content was read keeps no transactional message waiting.
 */
export class WaitingTransactions {
  readonly #queue = new TransactionQueue();
  readonly #ready = new ReadyTransactions();
  readonly #preparing = new IntrusiveSet<Preparation>();
  /**
   * Messages whose content was requested in this turn of the event loop. Available memory is granted by the end of the
   * turn.
   */
  readonly #justAsked: Preparation[] = [];
  readonly #heldUpOf = new Map<string, number>();
  #heldUp = 0;
  #bytesAhead = 0;
  /** Number of messages in `ahead` that are bulk mail. */
  #bulkAhead = 0;
  /** False from when content was released for other mail until the host continues. */
  #readsAhead = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly onPrepared: () => void) {}

  get isEmpty(): boolean {
    return this.length === 0;
  }

  get length(): number {
    return this.#queue.length + this.#preparing.size + this.#ready.length;
  }

  /** Number of messages whose content is ready. */
  get ready(): number {
    return this.#ready.length;
  }

  /**
   * Number of messages whose content is ready or being read. Those that wait for memory do not count: a team without
   * memory would stop the others.
   */
  get ahead(): number {
    return this.#preparing.size - this.#heldUp + this.#ready.length;
  }

  /**
   * Whether content may be requested: for at most `maxAhead` messages of each kind, and beyond `maxBytesAhead` for at
   * most `idle` messages.
   */
  mayPrepare(maxAhead: number, idle: number): boolean {
    const { ahead } = this;
    const mayTransactional = ahead - this.#bulkAhead < maxAhead;
    const mayBulk = this.#bulkAhead < maxAhead;
    if (!mayTransactional && !mayBulk) return false;
    const next = this.#queue.next(mayTransactional, mayBulk, this.#mayServe);
    if (next === undefined) return false;
    const fitsAhead = this.#readsAhead && this.#bytesAhead + next.message.size <= maxBytesAhead;
    return fitsAhead || ahead < idle;
  }

  push(transaction: SmtpTransaction): void {
    this.#queue.push(transaction);
  }

  /** Puts the message back without content, ahead of the others of its kind and team. */
  putBack(transaction: SmtpTransaction): void {
    transaction.releaseContent();
    this.#queue.unshift(transaction);
  }

  /** Requests the content of the next message, after `mayPrepare`. */
  prepareNext(): void {
    const transaction = this.#queue.take();
    if (transaction === undefined) return;
    const preparation = new Preparation(transaction);
    this.#preparing.add(preparation);
    this.#countAhead(transaction, 1);
    if (this.#justAsked.push(preparation) === 1) setImmediate(() => this.#turnEnded());
    transaction.prepare(
      () => this.#prepared(preparation),
      () => this.#granted(preparation),
    );
  }

  /** The next message with content, unless it is larger than `maxBytes`. */
  take(maxBytes: number): SmtpTransaction | undefined {
    if ((this.#ready.first?.message.size ?? 0) > maxBytes) return undefined;
    const transaction = this.#ready.shift();
    if (transaction === undefined) return undefined;
    this.#readsAhead = true;
    this.#countAhead(transaction, -1);
    return transaction;
  }

  /** Releases all content that is ready, because no connection is left to send it. */
  releaseContents(): void {
    for (let last = this.#takeLast(); last !== undefined; last = this.#takeLast()) this.putBack(last);
  }

  /** Removes all messages, which the caller then ends. Content that is still being read is released when it arrives. */
  takeAll(): SmtpTransaction[] {
    this.releaseContents();
    const preparing = [...this.#preparing];
    for (const preparation of preparing) this.#preparing.delete(preparation);
    const all = [...preparing.map(({ transaction }) => transaction), ...this.#queue.takeAll()];
    this.#heldUpOf.clear();
    this.#heldUp = 0;
    this.#bytesAhead = 0;
    this.#bulkAhead = 0;
    return all;
  }

  #turnEnded(): void {
    const heldUp = this.#justAsked
      .splice(0)
      .filter((preparation) => preparation.state === 'asked' && this.#preparing.has(preparation));
    for (const preparation of heldUp) {
      preparation.state = 'held up';
      this.#countHeldUp(preparation.transaction, 1);
    }
    if (heldUp.length > 0) this.onPrepared();
  }

  #granted(preparation: Preparation): void {
    if (!this.#preparing.has(preparation)) return;
    if (preparation.state === 'held up') this.#countHeldUp(preparation.transaction, -1);
    preparation.state = 'granted';
  }

  readonly #mayServe = (teamId: string): boolean => (this.#heldUpOf.get(teamId) ?? 0) < maxHeldUpPerTeam;

  #countAhead({ message: { size, isBulk } }: SmtpTransaction, change: 1 | -1): void {
    this.#bytesAhead += change * size;
    if (isBulk === true) this.#bulkAhead += change;
  }

  #countHeldUp(transaction: SmtpTransaction, change: 1 | -1): void {
    const { teamId } = transaction.message;
    const count = (this.#heldUpOf.get(teamId) ?? 0) + change;
    if (count === 0) this.#heldUpOf.delete(teamId);
    else this.#heldUpOf.set(teamId, count);
    this.#heldUp += change;
    this.#countAhead(transaction, change === 1 ? -1 : 1);
  }

  #prepared(preparation: Preparation): void {
    this.#granted(preparation);
    if (!this.#preparing.delete(preparation)) return;
    const { transaction } = preparation;
    if (transaction.isSettled) this.#countAhead(transaction, -1);
    else this.#ready.push(transaction);
    this.#timer ??= this.#lookLater();
    this.onPrepared();
  }

  #lookLater(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#releaseStalled();
      this.#timer = this.#ready.length > 0 ? this.#lookLater() : undefined;
    }, lookEveryMs).unref();
  }

  /** Releases content that no connection has taken for a while and whose memory other mail waits for. */
  #releaseStalled(): void {
    const stalled = this.#ready.remove(
      ({ holdsUpOthers, hasContentForMs }) => holdsUpOthers && hasContentForMs >= maxReadyMs,
    );
    for (const transaction of stalled) {
      this.#readsAhead = false;
      this.#countAhead(transaction, -1);
      this.putBack(transaction);
    }
  }

  #takeLast(): SmtpTransaction | undefined {
    const transaction = this.#ready.pop();
    if (transaction !== undefined) this.#countAhead(transaction, -1);
    return transaction;
  }
}

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
class TransactionQueue {
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

/** Messages whose content is ready for a connection: transactional mail before bulk mail, see `BulkTurns`. */
class ReadyTransactions {
  #transactional: SmtpTransaction[] = [];
  #bulk: SmtpTransaction[] = [];
  readonly #turns = new BulkTurns();
  #isBulksTurn: boolean | undefined;

  get length(): number {
    return this.#transactional.length + this.#bulk.length;
  }

  /** The next message for a connection. It stays the same until `shift`, unless it is removed. */
  get first(): SmtpTransaction | undefined {
    if (this.#bulk.length === 0) return this.#transactional[0];
    if (this.#transactional.length === 0) return this.#bulk[0];
    this.#isBulksTurn ??= this.#turns.isBulks(true, true);
    return this.#isBulksTurn ? this.#bulk[0] : this.#transactional[0];
  }

  push(transaction: SmtpTransaction): void {
    this.#of(transaction).push(transaction);
  }

  shift(): SmtpTransaction | undefined {
    const { first } = this;
    this.#isBulksTurn = undefined;
    return first && this.#of(first).shift();
  }

  /** Removes and returns the last message; of both kinds the bulk mail first. */
  pop(): SmtpTransaction | undefined {
    return this.#bulk.pop() ?? this.#transactional.pop();
  }

  /** Removes and returns those that fulfil the condition, the last ones first. */
  remove(condition: (transaction: SmtpTransaction) => boolean): SmtpTransaction[] {
    const all = [...this.#transactional, ...this.#bulk];
    const removed = new Set(all.filter(condition));
    if (removed.size === 0) return [];
    this.#transactional = this.#transactional.filter((transaction) => !removed.has(transaction));
    this.#bulk = this.#bulk.filter((transaction) => !removed.has(transaction));
    return [...removed].reverse();
  }

  #of({ message }: SmtpTransaction): SmtpTransaction[] {
    return message.isBulk === true ? this.#bulk : this.#transactional;
  }
}
