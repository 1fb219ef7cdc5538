import { newId } from '#kernel';
import { Database, DatabaseTransaction } from '#platform/database';
import { EventLog, LoggedEvent } from './event-log.js';

/** How long a consumer stays with a holder that does not come back. */
const leaseSeconds = 10;

interface Cursor extends Record<string, unknown> {
  readonly position: string;
  readonly safe: string;
}

export interface EventConsumerOptions<Event extends LoggedEvent> {
  /** Of the cursor, for ever. Consumers with the same name share the work; with different names, each has all events. */
  readonly name: string;
  readonly log: EventLog<Event>;
  /** Events in one transaction. */
  readonly maxBatch: number;
  /**
   * Does what follows from the events, in their order, within the transaction that moves the cursor: what it writes there is
   * written exactly once. It does no network I/O. When it throws, nothing happened, and the same events come again.
   */
  handle(events: readonly Event[], transaction: DatabaseTransaction): Promise<void>;
}

/**
 * Reads an event log by a durable cursor: at least once, in order, without gaps, from the oldest event that has a position.
 *
 * Positions become visible out of order, since a transaction may commit long after a later one. Reading by position alone
 * would pass over such an event for ever. So a position is read only once it is safe: when every transaction that might have
 * drawn it, or one before it, has ended. The consumer reads the last position of the sequence, then takes a transaction
 * id of its own (the fence): whoever drew a position up to there has a lower id. Once no lower id is running
 * (`pg_snapshot_xmin`), everything up to there is visible or will never be. Not by `pg_snapshot_xmax`, which is lower than the
 * ids of some running transactions.
 *
 * Two ways that are often taken are not safe here. Reading in the order of transaction ids breaks the order of an email's
 * events: of two transactions, the one with the lower id may come second to the email's lock. Waiting for some seconds is a
 * guess. Logical replication needs a server setting and a slot, which fills the disk while nobody reads it.
 *
 * The price is delay: an event comes after all transactions that were writing when it was written. A transaction that
 * writes for an hour stops all consumers for an hour, in any database of the server.
 *
 * Nothing depends on a session: a lease in the row of the cursor says who reads, and every batch checks it, so all of it
 * works behind PgBouncer in transaction mode. Events whose partition is dropped before they were read do not come.
 *
 * The only user for now is the test: the counters and the messages to webhooks are made by triggers, because clients see them
 * together with the event. So events have no positions yet. The first consumer's migration runs `emailEventPositions`.
 */
export class EventConsumer<Event extends LoggedEvent> {
  private readonly holder = newId();
  private isKnown = false;

  constructor(
    private readonly database: Database,
    private readonly options: EventConsumerOptions<Event>,
  ) {}

  /**
   * Handles the next events. Returns how many: 0 where there is none that is safe yet, or where another holder has the lease.
   * To be called again at once after a full batch, otherwise after a pause.
   */
  async step(): Promise<number> {
    if (!this.isKnown) await this.introduce();
    const cursor = await this.lease();
    if (cursor === undefined) return 0;
    const safe = BigInt(cursor.safe) > BigInt(cursor.position) ? cursor.safe : await this.moveFence(cursor);
    return safe === undefined ? 0 : this.handleUpTo(safe, cursor.position);
  }

  /** Lets another holder go on at once. */
  async release(): Promise<void> {
    await this.database.execute({
      text: `UPDATE event_consumers SET held_until = '-infinity' WHERE name = $1 AND holder = $2`,
      values: [this.options.name, this.holder],
    });
  }

  private async introduce(): Promise<void> {
    await this.database.execute({
      text: 'INSERT INTO event_consumers (name) VALUES ($1) ON CONFLICT DO NOTHING',
      values: [this.options.name],
    });
    this.isKnown = true;
  }

  /** The cursor, where this holder has the lease now. Writes only where the lease is more than half over. */
  private async lease(): Promise<Cursor | undefined> {
    const [cursor] = await this.database.query<Cursor>({
      name: 'lease-event-consumer',
      text: `WITH leased AS (
               UPDATE event_consumers SET holder = $2, held_until = now() + interval '${leaseSeconds} seconds'
               WHERE name = $1 AND (held_until <= now()
                 OR (holder = $2 AND held_until <= now() + interval '${leaseSeconds / 2} seconds'))
               RETURNING position, safe_position
             )
             SELECT position, safe_position AS safe FROM leased
             UNION ALL
             SELECT position, safe_position FROM event_consumers
             WHERE name = $1 AND holder = $2 AND held_until > now() AND NOT EXISTS (SELECT FROM leased)`,
      values: [this.options.name, this.holder],
    });
    return cursor;
  }

  /**
   * The position up to which all is safe, where that is beyond the cursor. Where the last fence has been passed it takes the
   * next one. Both are stored, so that the next holder need not begin anew.
   */
  private moveFence({ position }: Cursor): Promise<string | undefined> {
    return this.database.run(async (transaction) => {
      const last = await this.lastPosition(transaction);
      if (BigInt(last) <= BigInt(position)) return undefined;
      // A statement of its own: its transaction id is drawn after the last position was read.
      const [row] = await transaction.query<{ safe: string }>({
        name: 'move-event-fence',
        text: `UPDATE event_consumers SET
                 safe_position = CASE WHEN fence_xid <= pg_snapshot_xmin(pg_current_snapshot()) THEN fence_position
                                      ELSE safe_position END,
                 fence_position = $3, fence_xid = pg_current_xact_id()
               WHERE name = $1 AND holder = $2
                 AND (fence_xid IS NULL OR fence_xid <= pg_snapshot_xmin(pg_current_snapshot()))
               RETURNING safe_position AS safe`,
        values: [this.options.name, this.holder, last],
      });
      return row !== undefined && BigInt(row.safe) > BigInt(position) ? row.safe : undefined;
    });
  }

  /** As of now, whatever the snapshot. 0 where none was drawn. */
  private async lastPosition(transaction: DatabaseTransaction): Promise<string> {
    const [row] = await transaction.query<{ last: string }>({
      text: `SELECT coalesce(pg_sequence_last_value($1::regclass), 0)::text AS last`,
      values: [this.options.log.sequence],
    });
    return row?.last ?? '0';
  }

  /** The cursor moves first: its row lock keeps a holder whose lease has run out from handling the same events. */
  private handleUpTo(safe: string, position: string): Promise<number> {
    const { name, log, maxBatch, handle } = this.options;
    return this.database.run(async (transaction) => {
      const events = await transaction.query<Event & Record<string, unknown>>({
        name: `read-event-log ${log.sequence}`,
        text: log.text,
        values: [position, safe, maxBatch],
      });
      const reached = events.length < maxBatch ? safe : (events[events.length - 1] as Event).position;
      const moved = await transaction.execute({
        name: 'move-event-cursor',
        text: `UPDATE event_consumers SET position = $4 WHERE name = $1 AND holder = $2 AND position = $3`,
        values: [name, this.holder, position, reached],
      });
      if (moved === 0) return 0;
      if (events.length > 0) await handle(events, transaction);
      return events.length;
    });
  }
}
