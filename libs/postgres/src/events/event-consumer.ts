import { failureKind, newId } from '#kernel';
import { Database, DatabaseTransaction } from '#postgres/database';

/**
 * A table of events that consumers read in the order of their positions. The lib that owns the table exports this
 * through its front door. It guarantees for every event that is written:
 *
 * - its position is drawn from `sequence` (CACHE 1) by a transaction that already has its transaction id;
 * - events that must stay in order (those of one email) are written under one lock, which is held from before the position is
 *   drawn until the commit, and in the right order within a statement.
 */
export interface EventLog<Event extends LoggedEvent> {
  readonly sequence: string;
  /** Selects the events with $1 < position <= $2 in the order of their positions, at most $3 of them. */
  readonly text: string;
  /** Never set. It only declares the type of the events. */
  readonly event?: Event;
}

export interface LoggedEvent {
  /** Digits: PostgreSQL's `bigint`. */
  readonly position: string;
}

/** Duration of a lease. After it, another holder can take over from one that has died. */
const leaseSeconds = 10;
/** The smallest part of a batch that is tried after larger ones have taken too long. */
const maxDivisor = 2 ** 15;
/** Batches in a row after which a larger one is tried: one that fails takes as long as the limit. */
const batchesBeforeLarger = 16;

interface Cursor extends Record<string, unknown> {
  readonly position: string;
  readonly safe: string;
  /** Last position of the sequence. */
  readonly last: string;
}

export interface EventConsumerOptions<Event extends LoggedEvent> {
  /** Permanent name of the cursor. Consumers with the same name share the work. Each name receives all events. */
  readonly name: string;
  readonly log: EventLog<Event>;
  /** Maximum number of events in one transaction. */
  readonly maxBatch: number;
  /**
   * Maximum number of positions that one transaction passes. For a log that leaves events out, so that a statement
   * which looks for a few among many stays short. Default: no limit.
   */
  readonly maxSpan?: number;
  /**
   * Handles events in their order, within the transaction that moves the cursor, so that its writes happen exactly
   * once. It must not do network I/O. When it throws, the transaction is rolled back, and the same events are delivered
   * again. It may return how many of the events it has handled: the others are delivered again, in the next step.
   */
  handle(events: readonly Event[], transaction: DatabaseTransaction): Promise<number | void>;
}

/**
 * Reads an event log by a durable cursor: at least once, in order, without gaps, from the oldest event that has a
 * position.
 *
 * Positions become visible out of order, because a transaction may commit long after a later one. Reading only by
 * position would skip such an event for ever. So a position is read only once it is safe: when every transaction that
 * may have drawn it, or an earlier one, has ended. The consumer reads the last position of the sequence, and then gets
 * its own transaction id (the fence). Every transaction that drew a position up to the last one has a lower id. Once no
 * transaction with a lower id is running (`pg_snapshot_xmin`), every event up to that position is visible or will never
 * exist. `pg_snapshot_xmax` cannot be used, because it is lower than the ids of some running transactions.
 *
 * Two common alternatives are not safe here. Reading in the order of transaction ids breaks the order of the events of
 * an email: of two transactions, the one with the lower id may be the second to lock the email. Waiting for some
 * seconds is a guess. A third one, logical replication, needs a server setting and a slot, which fills the disk while
 * no consumer reads it.
 *
 * The price is delay: an event is read after all transactions have ended that were writing when it was written. A
 * transaction that writes for an hour, in any database of the server, stops all consumers for an hour.
 *
 * Nothing depends on a session: a lease in the row of the cursor determines the reader, and every batch checks it, so
 * everything works behind PgBouncer in transaction mode. Events whose partition is dropped before they are read are
 * never delivered.
 *
 * What clients must see together with the event is written by triggers instead (docs/events.md).
 */
export class EventConsumer<Event extends LoggedEvent> {
  private readonly holder = newId();
  private isKnown = false;
  private isBehind = false;
  /** Grows while batches run into a time limit, so that the events of one moment cannot stop the consumer for good. */
  private divisor = 1;
  private batches = 0;

  constructor(
    private readonly database: Database,
    private readonly options: EventConsumerOptions<Event>,
  ) {}

  /** Whether there may be events that this holder reads, as `WorkSearch.every` takes it. */
  get found(): string {
    const { name, log } = this.options;
    return `coalesce((SELECT position < coalesce(pg_sequence_last_value('${log.sequence}'::regclass), 0)
                               AND (holder = '${this.holder}' OR held_until <= now())
                      FROM event_consumers WHERE name = '${name}'), true)`;
  }

  /** Whether the last step left safe events. Then the next step should follow immediately, otherwise after a pause. */
  get hasMore(): boolean {
    return this.isBehind;
  }

  /** Handles the next events. Returns their number: 0 if no event is safe yet, or if another holder has the lease. */
  async step(): Promise<number> {
    this.isBehind = false;
    if (!this.isKnown) await this.register();
    const cursor = await this.lease();
    if (cursor === undefined) return 0;
    // Most looks end here, with one statement.
    if (BigInt(cursor.last) <= BigInt(cursor.position)) return 0;
    const safe = BigInt(cursor.safe) > BigInt(cursor.position) ? cursor.safe : await this.moveFence(cursor);
    if (safe === undefined) return 0;
    try {
      const handled = await this.handleUpTo(safe, cursor.position);
      if (++this.batches % batchesBeforeLarger === 0) this.divisor = Math.max(1, this.divisor / 2);
      return handled;
    } catch (error) {
      this.batches = 0;
      if (failureKind(error) === 'blocked') this.divisor = Math.min(2 * this.divisor, maxDivisor);
      throw error;
    }
  }

  /** Releases the lease, so that another holder can continue immediately. */
  async release(): Promise<void> {
    await this.database.execute({
      text: `UPDATE event_consumers SET held_until = '-infinity' WHERE name = $1 AND holder = $2`,
      values: [this.options.name, this.holder],
    });
  }

  private async register(): Promise<void> {
    await this.database.execute({
      text: 'INSERT INTO event_consumers (name) VALUES ($1) ON CONFLICT DO NOTHING',
      values: [this.options.name],
    });
    this.isKnown = true;
  }

  /**
   * Acquires or renews the lease. Returns the cursor if this holder has it. Writes only when less than half of it is
   * left.
   */
  private async lease(): Promise<Cursor | undefined> {
    const [cursor] = await this.database.query<Cursor>({
      name: 'lease-event-consumer',
      text: `WITH leased AS (
               UPDATE event_consumers SET holder = $2, held_until = now() + interval '${leaseSeconds} seconds'
               WHERE name = $1 AND (held_until <= now()
                 OR (holder = $2 AND held_until <= now() + interval '${leaseSeconds / 2} seconds'))
               RETURNING position, safe_position
             )
             SELECT position, safe_position AS safe, coalesce(pg_sequence_last_value($3::regclass), 0)::text AS last FROM leased
             UNION ALL
             SELECT position, safe_position, coalesce(pg_sequence_last_value($3::regclass), 0)::text FROM event_consumers
             WHERE name = $1 AND holder = $2 AND held_until > now() AND NOT EXISTS (SELECT FROM leased)`,
      values: [this.options.name, this.holder, this.options.log.sequence],
    });
    return cursor;
  }

  /**
   * Returns the position up to which all events are safe, if it is beyond the cursor. Once no transaction before the last
   * fence is running, it sets the next fence. Both are stored, so that the next holder continues from there.
   */
  private moveFence({ position }: Cursor): Promise<string | undefined> {
    return this.database.run(async (transaction) => {
      const last = await this.lastPosition(transaction);
      if (BigInt(last) <= BigInt(position)) return undefined;
      // A separate statement, so that its transaction id is drawn after the last position was read.
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

  /** The current last position of the sequence, independent of the snapshot. 0 if none was drawn yet. */
  private async lastPosition(transaction: DatabaseTransaction): Promise<string> {
    const [row] = await transaction.query<{ last: string }>({
      text: `SELECT coalesce(pg_sequence_last_value($1::regclass), 0)::text AS last`,
      values: [this.options.log.sequence],
    });
    return row?.last ?? '0';
  }

  /** The cursor is moved first: its row lock prevents a holder with an expired lease from handling the same events. */
  private handleUpTo(safe: string, position: string): Promise<number> {
    const { name, log } = this.options;
    // Where the positions are limited, a log may have a row for many events.
    const maxSpan = this.options.maxSpan && Math.max(1, Math.floor(this.options.maxSpan / this.divisor));
    const maxBatch =
      maxSpan === undefined ? Math.max(1, Math.floor(this.options.maxBatch / this.divisor)) : this.options.maxBatch;
    const end = maxSpan === undefined ? safe : lower(safe, BigInt(position) + BigInt(maxSpan));
    return this.database.run(async (transaction) => {
      const events = await transaction.query<Event & Record<string, unknown>>({
        name: `read-event-log ${name}`,
        text: log.text,
        values: [position, end, maxBatch],
      });
      const reached = events.length < maxBatch ? end : (events[events.length - 1] as Event).position;
      if (!(await this.move(position, reached, transaction))) return 0;
      const handled = events.length === 0 ? 0 : ((await this.options.handle(events, transaction)) ?? events.length);
      const isPart = handled < events.length;
      if (isPart) await this.move(reached, events[handled - 1]?.position ?? position, transaction);
      this.isBehind = isPart || reached !== safe;
      return handled;
    });
  }

  private async move(from: string, to: string, transaction: DatabaseTransaction): Promise<boolean> {
    const moved = await transaction.execute({
      name: 'move-event-cursor',
      text: `UPDATE event_consumers SET position = $4 WHERE name = $1 AND holder = $2 AND position = $3`,
      values: [this.options.name, this.holder, from, to],
    });
    return moved > 0;
  }
}

function lower(position: string, other: bigint): string {
  return BigInt(position) < other ? position : other.toString();
}
