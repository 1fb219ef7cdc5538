import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events have a position, so that a run knows which came after the one that began it, and an origin, on which everything
 * that follows from it is counted. Events for which a run has yet to wait are kept.
 */
export class EventsBehindTheirTrigger1763992030000 implements MigrationInterface {
  name = 'EventsBehindTheirTrigger1763992030000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SEQUENCE custom_event_positions AS bigint');
    await runner.query(`
      ALTER TABLE custom_event_occurrences
        ADD COLUMN position bigint NOT NULL DEFAULT nextval('custom_event_positions'),
        ADD COLUMN origin_id uuid`);
    await runner.query('ALTER SEQUENCE custom_event_positions OWNED BY custom_event_occurrences.position');
    await runner.query('DROP INDEX custom_event_occurrences_of_team');
    await runner.query('CREATE INDEX custom_event_occurrences_of_team ON custom_event_occurrences (team_id, position)');
    await runner.query('CREATE INDEX custom_event_occurrences_in_order ON custom_event_occurrences (position)');
    await runner.query(`
      ALTER TABLE automation_runs
        ADD COLUMN event_position bigint,
        ADD COLUMN taken_positions jsonb,
        ADD COLUMN origin_id uuid`);
    await runner.query(`
      CREATE TABLE automation_awaited_events (
        team_id uuid NOT NULL,
        event_name text NOT NULL,
        automation_id uuid NOT NULL,
        version integer NOT NULL,
        PRIMARY KEY (team_id, event_name, automation_id, version),
        FOREIGN KEY (automation_id, version) REFERENCES automation_versions ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE INDEX automation_awaited_events_of_version ON automation_awaited_events (automation_id, version)',
    );
    await runner.query(`
      INSERT INTO automation_awaited_events (team_id, event_name, automation_id, version)
      SELECT DISTINCT a.team_id, s #>> '{config,event_name}', v.automation_id, v.version
      FROM automation_versions v JOIN automations a ON a.id = v.automation_id
      CROSS JOIN LATERAL jsonb_array_elements(v.graph -> 'steps') s
      WHERE s ->> 'type' IN ('wait_for_event', 'goal') AND s #>> '{config,event_name}' NOT LIKE 'resend:%'`);
    await runner.query(`
      CREATE TABLE automation_kept_events (
        team_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        event_name text NOT NULL,
        position bigint NOT NULL,
        contact_email text NOT NULL,
        payload jsonb NOT NULL,
        kept_until timestamptz NOT NULL,
        PRIMARY KEY (team_id, contact_id, event_name, position)
      )`);
    await runner.query('CREATE INDEX automation_kept_events_by_time ON automation_kept_events (kept_until)');
    await runner.query(
      'CREATE INDEX automation_kept_events_of_address ON automation_kept_events (team_id, contact_email)',
    );
    await runner.query(`
      CREATE TABLE automation_budgets (
        id uuid NOT NULL,
        runs integer NOT NULL,
        since timestamptz NOT NULL,
        PRIMARY KEY (id)
      ) WITH (fillfactor = 50)`);
    await runner.query('CREATE INDEX automation_budgets_by_time ON automation_budgets (since)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
