import { Transaction, UnitOfWork } from '#kernel';

/** A transaction of in-memory adapters. They apply each change immediately and register here how to undo it. */
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

  /** Undoes the changes, the last one first. */
  rollBack(): void {
    for (const step of this.rollbacks.reverse()) step();
  }
}

/** For tests and in-memory adapters. Unlike with a database, other transactions see changes before the commit. */
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
