import { TeamEvent, TeamEvents } from '#events';
import { Transaction } from '#kernel';
import { inMemory } from './in-memory-unit-of-work.js';

/** The team events whose transactions have been committed. */
export class RecordedTeamEvents extends TeamEvents {
  readonly committed: TeamEvent[] = [];

  async append(events: readonly TeamEvent[], transaction: Transaction): Promise<void> {
    inMemory(transaction).onCommit(() => this.committed.push(...events));
  }

  /** Types of the committed events, oldest first. */
  get types(): readonly string[] {
    return this.committed.map(({ type }) => type);
  }
}
