/**
 * An open database transaction, passed from a use case to the ports that write within it.
 *
 * Only the persistence adapters know its implementation. An adapter throws when it is given the transaction of another
 * database, since that is a programming error.
 */
export abstract class Transaction {
  protected readonly transactionBrand = true;
}

/** The last statements of a transaction, behind which its commit is sent. */
export interface LastStatements<Result> {
  /** Sends all statements before it waits for the first of them. */
  readonly send: () => Promise<Result>;
  /** Whether `send` may throw because of a result, so that the commit must wait for it. Default: false. */
  readonly mayRefuse?: boolean;
}

/**
 * Runs work in one transaction. It is committed durably when the promise resolves, and rolled back when the work
 * throws.
 */
export abstract class UnitOfWork {
  abstract run<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;

  /**
   * Like `run`, for work that reads and decides first, and then returns the statements that end its transaction. A
   * database sends them and the commit in one flight, so that no lock waits for this process. If one of them fails,
   * everything is rolled back.
   */
  runPipelined<Result>(work: (transaction: Transaction) => Promise<LastStatements<Result>>): Promise<Result> {
    return this.run(async (transaction) => (await work(transaction)).send());
  }
}
