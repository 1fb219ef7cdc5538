import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index for the teams with mail in a lane and the mail of each, since teams are served in turns. A claim does not
 * change it.
 */
export class QueueTurns1763700600000 implements MigrationInterface {
  name = 'QueueTurns1763700600000';
  /** CONCURRENTLY cannot run in a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    // An interrupted build leaves an invalid index with this name.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS outbound_queue_turns');
    await runner.query('CREATE INDEX CONCURRENTLY outbound_queue_turns ON outbound_queue (lane, team_id, due_at)');
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
