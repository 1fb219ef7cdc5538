import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database, Statement } from '#postgres/database';
import { ClaimedRecipient } from '../../../libs/delivery/src/domain/attempt.js';
import { PostgresDeliveryQueue } from '../../../libs/delivery/src/infrastructure/persistence/postgres-delivery-queue.js';
import { UnwrittenOutcomes } from '../../../libs/delivery/src/infrastructure/persistence/postgres-outcome-log.js';
import { createTestDatabase, TestDatabase } from '../servers/test-database.js';
import { allRegions } from '../fakes/all-regions.js';

/** The one lane of most tests. */
export const lane = 'relay';

/** Maximum number of rows in one statement of the set-up: it takes seconds on a busy machine, and the limit is 15 s. */
const rowsPerStatement = 10_000;

/** The delivery queue on its own database, with a registered worker. */
export class QueueRig {
  worker = '';

  private constructor(
    readonly testDatabase: TestDatabase,
    private readonly pool: Pool,
    readonly database: Database,
    readonly queue: PostgresDeliveryQueue,
  ) {}

  static async create(): Promise<QueueRig> {
    const testDatabase = await createTestDatabase();
    const pool = new Pool({ connectionString: testDatabase.url, max: 4 });
    const database = new Database(pool);
    const queue = new PostgresDeliveryQueue(database, { areWaiting: false } as UnwrittenOutcomes, allRegions);
    return new QueueRig(testDatabase, pool, database, queue);
  }

  /** Empties the queue and leaves one new worker. */
  async reset(): Promise<void> {
    await this.database.execute({
      text: 'TRUNCATE outbound_queue, lanes, lane_pauses, workers, delivery_attempts',
    });
    this.worker = newId();
    await this.queue.heartbeat(this.worker);
  }

  async drop(): Promise<void> {
    await this.pool.end();
    await this.testDatabase.drop();
  }

  /** Queues recipients of one email. */
  async enqueue(count: number, to = lane): Promise<void> {
    await this.database.execute({
      text: `INSERT INTO outbound_queue (email_id, recipient_no, size, due_at, queued_at, lane, address)
             SELECT $1, no, 10, now(), now(), $3, 'a@b.test' FROM generate_series(0, $2 - 1) AS no`,
      values: [newId(), count, to],
    });
  }

  /** Queues `count` emails of one recipient, with SQL for the columns of number `no`, and updates the statistics. */
  async enqueueMany(
    count: number,
    columns: Partial<Record<'lane' | 'due_at' | 'queued_at' | 'team_id' | 'domain_id' | 'is_bulk', string>>,
  ): Promise<void> {
    const row = { lane: `'${lane}'`, due_at: 'now()', queued_at: 'now()', team_id: `'${newId()}'`, ...columns };
    // In ascending order, like real ids: a random order would touch another page of the index for each row.
    const idPrefix = newId().slice(0, 24);
    for (let from = 1; from <= count; from += rowsPerStatement) {
      await this.database.execute({
        text: `INSERT INTO outbound_queue (email_id, recipient_no, size, address, ${Object.keys(row).join(', ')})
               SELECT ($3 || lpad(to_hex(no), 12, '0'))::uuid, 0, 10, 'a@b.test', ${Object.values(row).join(', ')}
               FROM generate_series($1::int, $2::int) AS no`,
        values: [from, Math.min(count, from + rowsPerStatement - 1), idPrefix],
      });
    }
    await this.database.execute({ text: 'ANALYZE outbound_queue' });
  }

  async claim(limit: number, by = this.worker): Promise<readonly ClaimedRecipient[]> {
    return (await this.queue.claim(lane, by, limit))?.claimed ?? [];
  }

  lookOf(): Promise<{ attempt: number; held: boolean }[]> {
    return this.database.query({
      text: 'SELECT attempt, worker_id IS NOT NULL AS held FROM outbound_queue ORDER BY recipient_no',
    });
  }

  /** The plan of a repeated execution with the rows that each step read. The statement is rolled back. */
  async planOf({ text, values = [] }: Statement, types: string): Promise<string> {
    const rollback = new Error('explained');
    let plan: { 'QUERY PLAN': string }[] = [];
    await this.database
      .run(async (transaction) => {
        await transaction.execute({ text: `SET LOCAL plan_cache_mode = force_generic_plan` });
        await transaction.execute({ text: `PREPARE explained (${types}) AS ${text}` });
        plan = await transaction.query({
          text: `EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, SUMMARY OFF)
                 EXECUTE explained (${values.map(literalOf).join(', ')})`,
        });
        await transaction.execute({ text: 'DEALLOCATE explained' });
        throw rollback;
      })
      .catch((error: unknown) => {
        if (error !== rollback) throw error;
      });
    return plan.map((row) => row['QUERY PLAN']).join('\n');
  }
}

function literalOf(value: unknown): string {
  return Array.isArray(value) ? `'{${value.join(',')}}'` : `'${String(value)}'`;
}
