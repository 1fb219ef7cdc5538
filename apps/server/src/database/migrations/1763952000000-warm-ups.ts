import { MigrationInterface, QueryRunner } from 'typeorm';

/** Warm-ups of sending domains, and how much went to each mailbox provider. */
export class WarmUps1763952000000 implements MigrationInterface {
  name = 'WarmUps1763952000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE warm_ups (
        domain_id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        -- Messages of each day to a provider.
        schedule integer[] NOT NULL,
        started_at timestamptz NOT NULL,
        ended_at timestamptz
      )`);
    await runner.query('CREATE INDEX warm_ups_running ON warm_ups (domain_id) WHERE ended_at IS NULL');
    await runner.query('CREATE INDEX warm_ups_ended ON warm_ups (ended_at) WHERE ended_at IS NOT NULL');
    await runner.query(`
      CREATE TABLE warm_up_providers (
        domain_id uuid NOT NULL,
        provider text NOT NULL,
        -- Index in the schedule.
        step integer NOT NULL,
        is_done boolean NOT NULL,
        -- Number of the hour that is counted, from 1970 on. It goes back only where a clock is set back by more than a day.
        hour bigint NOT NULL,
        hour_sent integer NOT NULL,
        day_sent integer NOT NULL,
        -- Number of the last day on which at least half of the limit was used.
        busy_day integer,
        last_day jsonb,
        PRIMARY KEY (domain_id, provider)
      ) WITH (fillfactor = 50)`);
    await runner.query('CREATE INDEX warm_up_providers_done ON warm_up_providers (domain_id) WHERE is_done');
    await runner.query('CREATE INDEX warm_up_providers_idle ON warm_up_providers (hour) WHERE NOT is_done');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
