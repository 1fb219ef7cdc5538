import { Transaction, UnitOfWork } from './transaction.js';

/** A transaction of adapters that keep everything in memory: they change at once and say here how to take it back. */
export class InMemoryTransaction extends Transaction {
  private readonly commits: (() => void)[] = [];
  private readonly rollbacks: (() => void)[] = [];

  onCommit(step: () => void): void {
    this.commits.push(step);
  }

  onRollback(step: () => void): void {
    this.rollbacks.push(step);
  }

  commit(): void {
    for (const step of this.commits) step();
  }

  /** The last change first. */
  rollBack(): void {
    for (const step of this.rollbacks.reverse()) step();
  }
}

/** For tests and for adapters in memory. Unlike a database, it shows changes to everybody before the commit. */
export class InMemoryUnitOfWork extends UnitOfWork {
  async run<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const transaction = new InMemoryTransaction();
    let result: Result;
    try {
      result = await work(transaction);
    } catch (error) {
      transaction.rollBack();
      throw error;
    }
    transaction.commit();
    return result;
  }
}

export function inMemory(transaction: Transaction): InMemoryTransaction {
  if (transaction instanceof InMemoryTransaction) return transaction;
  throw new Error('The transaction belongs to another kind of adapter');
}
