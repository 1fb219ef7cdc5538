import { PageRequest, Transaction } from '#kernel';
import { inMemory } from './in-memory-unit-of-work.js';
import { InMemoryRows } from './in-memory-rows.js';
import { BroadcastRepository } from '../../../libs/broadcasts/src/application/ports/broadcast-repository.port.js';
import { BroadcastFilter, BroadcastsPage } from '../../../libs/broadcasts/src/domain/broadcast-filter.js';
import { Broadcast } from '../../../libs/broadcasts/src/domain/broadcast.js';

/** The broadcasts of one process. */
export class InMemoryBroadcastRepository extends BroadcastRepository {
  readonly rows = new InMemoryRows<Broadcast>();
  /** The notifications that were sent. */
  readonly notified: string[] = [];

  async insert(broadcast: Broadcast, transaction: Transaction): Promise<void> {
    this.rows.set(broadcast, transaction);
    if (broadcast.status === 'queued') inMemory(transaction).onCommit(() => this.notified.push(broadcast.id));
  }

  async find(teamId: string, id: string): Promise<Broadcast | undefined> {
    const broadcast = this.rows.get(id);
    return broadcast?.teamId === teamId ? broadcast : undefined;
  }

  async list(teamId: string, page: PageRequest, filter?: BroadcastFilter): Promise<BroadcastsPage> {
    const { statuses, text = '' } = filter ?? {};
    const { items, hasMore } = this.rows.page(
      page,
      (row) =>
        row.teamId === teamId &&
        statuses?.includes(row.status) !== false &&
        [row.name ?? '', row.subject].some((shown) => shown.toLowerCase().includes(text)),
    );
    const list = { items: items.map((item) => ({ ...item, html: null, text: null })), hasMore };
    const next = hasMore ? ((page.before === undefined ? items.at(-1) : items.at(0))?.id ?? null) : null;
    return filter === undefined ? list : { ...list, next };
  }

  lock(teamId: string, id: string): Promise<Broadcast | undefined> {
    return this.find(teamId, id);
  }

  async update(broadcast: Broadcast, transaction: Transaction): Promise<void> {
    this.rows.set(broadcast, transaction);
    if (broadcast.status === 'queued') inMemory(transaction).onCommit(() => this.notified.push(broadcast.id));
  }

  async delete({ id }: Broadcast, transaction: Transaction): Promise<void> {
    this.rows.delete(id, transaction);
  }

  async lockDue(now: Date, limit: number): Promise<readonly Broadcast[]> {
    const isDue = ({ status, scheduledAt }: Broadcast): boolean =>
      status === 'scheduled' && scheduledAt !== null && scheduledAt <= now;
    return this.rows
      .where(isDue)
      .sort((a, b) => Number(a.scheduledAt) - Number(b.scheduledAt))
      .slice(0, limit);
  }
}
