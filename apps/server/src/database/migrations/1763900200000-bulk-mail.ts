import { MigrationInterface, QueryRunner } from 'typeorm';

const fresh = 'due_at <= queued_at AND is_bulk IS NULL';
const retries = 'due_at > queued_at AND is_bulk IS NULL';

/**
 * Bulk mail waits behind transactional mail. The indexes by which transactional mail is claimed leave bulk mail out, so
 * that a claim costs the same beside a million bulk emails.
 */
export class BulkMail1763900200000 implements MigrationInterface {
  name = 'BulkMail1763900200000';
  /** CONCURRENTLY cannot run in a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbound_queue ADD COLUMN IF NOT EXISTS is_bulk boolean');
    await runner.query('ALTER TABLE emails ADD COLUMN IF NOT EXISTS is_bulk boolean');
    // The builds wait for transactions that began earlier, and block no others.
    await runner.query('SET lock_timeout = 0');
    await built(runner, 'outbound_queue_bulk', '(lane, due_at) WHERE is_bulk');
    await built(runner, 'outbound_queue_bulk_turns', '(lane, team_id, due_at) WHERE is_bulk');
    await rebuilt(runner, 'outbound_queue_fresh', `(lane, due_at) WHERE ${fresh}`);
    await rebuilt(runner, 'outbound_queue_retries', `(lane, due_at) WHERE ${retries}`);
    await rebuilt(runner, 'outbound_queue_turns', '(lane, team_id, due_at) WHERE is_bulk IS NULL');
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

/** An interrupted build leaves an invalid index with this name. */
async function built(runner: QueryRunner, name: string, on: string): Promise<void> {
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON outbound_queue ${on}`);
}

/** Claims use the former index until the new one is complete. */
async function rebuilt(runner: QueryRunner, name: string, on: string): Promise<void> {
  await built(runner, `${name}_new`, on);
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await runner.query(`ALTER INDEX ${name}_new RENAME TO ${name}`);
}
