/**
 * A database transaction under way, passed from a use case to the ports that write within it.
 *
 * Opaque on purpose: only the persistence adapters know what is inside. A transaction handed to an adapter of another
 * database is a programming error, and the adapter says so.
 */
export abstract class Transaction {
  protected readonly transactionBrand = true;
}

/** Runs work in one transaction: committed durably when the promise resolves, rolled back when the work throws. */
export abstract class UnitOfWork {
  abstract run<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
}
