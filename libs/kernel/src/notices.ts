import { Transaction } from './transaction.js';

/** Something that whoever runs the service has to know of. */
export interface Notice {
  /** Says what it is about, and when: a second one with the same key is the same notice. */
  readonly key: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * Tells whoever runs the service, by mail. A notice is told once, however often and by however many processes it is
 * announced; where nobody is to be told, nothing is done.
 */
export abstract class Notices {
  /** Resolves when the notice can no longer be lost: in a transaction, once that is committed. */
  abstract announce(notice: Notice, transaction?: Transaction): Promise<void>;
}
