import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index for the few shards that are still to be merged, and for the oldest counters. Without it every worker would read
 * all counters every five minutes. Its columns never change, so counting stays on its page (HOT).
 */
export class CounterShards1763700570000 implements MigrationInterface {
  name = 'CounterShards1763700570000';
  /** CONCURRENTLY cannot run in a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    // An interrupted build leaves an invalid index with this name.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS email_counters_by_shard');
    await runner.query('CREATE INDEX CONCURRENTLY email_counters_by_shard ON email_counters (shard, quarter)');
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
