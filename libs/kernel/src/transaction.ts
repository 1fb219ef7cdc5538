/**
 * An open database transaction, passed from a use case to the ports that write within it.
 *
 * Only the persistence adapters know its implementation. An adapter throws when it is given the transaction of another
 * database, since that is a programming error.
 */
export abstract class Transaction {
  protected readonly transactionBrand = true;
}

/** Runs work in one transaction. It is committed durably when the promise resolves, and rolled back when the work throws. */
export abstract class UnitOfWork {
  abstract run<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
}
