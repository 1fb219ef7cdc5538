import { BulkTurns } from '#kernel';
import type { SmtpTransaction } from './smtp-transaction.js';

/** Messages whose content is ready for a connection: transactional mail before bulk mail, see `BulkTurns`. */
export class ReadyTransactions {
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
