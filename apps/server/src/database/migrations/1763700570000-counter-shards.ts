import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the few counters that are still to be joined, and the oldest ones. Without it every worker would read all of them
 * every five minutes. Neither column changes: counting stays on its page (HOT).
 */
export class CounterShards1763700570000 implements MigrationInterface {
  name = 'CounterShards1763700570000';
  /** CONCURRENTLY cannot be undone: it has no transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // It waits for transactions that began earlier, and nobody waits for it.
    await runner.query('SET lock_timeout = 0');
    // A build that was interrupted leaves an index that nobody uses, under this very name.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS email_counters_by_shard');
    await runner.query('CREATE INDEX CONCURRENTLY email_counters_by_shard ON email_counters (shard, quarter)');
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
