import { Transaction } from '#kernel';

/** Runs work in one transaction, as `UnitOfWork` does, whose statements may take minutes. */
export abstract class LongWork {
  abstract run<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
}
