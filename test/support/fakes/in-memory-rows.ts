import { isUuid, Page, pageOf, PageRequest, Transaction, ValidationError } from '#kernel';
import { inMemory } from './in-memory-unit-of-work.js';

/**
 * Rows by id, for repositories in memory. A change within a transaction is visible at once and taken back when the
 * transaction fails. A change without a transaction stays.
 */
export class InMemoryRows<Row extends { readonly id: string }> {
  private readonly byId = new Map<string, Row>();

  get(id: string): Row | undefined {
    return this.byId.get(id);
  }

  /** In order of the ids. */
  where(matches: (row: Row) => boolean): Row[] {
    return [...this.byId.values()].filter(matches).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  set(row: Row, transaction?: Transaction): void {
    this.restoreOnRollback(row.id, transaction);
    this.byId.set(row.id, row);
  }

  /** False if there is no such row. */
  delete(id: string, transaction?: Transaction): boolean {
    this.restoreOnRollback(id, transaction);
    return this.byId.delete(id);
  }

  /** Newest first. Throws ValidationError if the cursor is not an id. */
  page(request: PageRequest, matches: (row: Row) => boolean): Page<Row> {
    const { after, before, limit } = request;
    const cursor = after ?? before;
    if (cursor !== undefined && !isUuid(cursor)) throw new ValidationError('The cursor must be the id of an item.');
    const rows = this.where(matches);
    const inDirection =
      before === undefined
        ? rows.reverse().filter(({ id }) => after === undefined || id < after)
        : rows.filter(({ id }) => id > before);
    return pageOf(request, inDirection.slice(0, limit + 1));
  }

  private restoreOnRollback(id: string, transaction: Transaction | undefined): void {
    if (transaction === undefined) return;
    const row = this.byId.get(id);
    inMemory(transaction).onRollback(() => {
      if (row === undefined) this.byId.delete(id);
      else this.byId.set(id, row);
    });
  }
}
