import { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the teams that have mail in a lane, and the mail of each: they are served in turns. Claiming changes none of it. */
export class QueueTurns1763700600000 implements MigrationInterface {
  name = 'QueueTurns1763700600000';
  /** CONCURRENTLY cannot be undone: it has no transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // It waits for transactions that began earlier, and nobody waits for it.
    await runner.query('SET lock_timeout = 0');
    // A build that was interrupted leaves an index that nobody uses, under this very name.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS outbound_queue_turns');
    await runner.query('CREATE INDEX CONCURRENTLY outbound_queue_turns ON outbound_queue (lane, team_id, due_at)');
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
