import { MigrationInterface, QueryRunner } from 'typeorm';

/** The guard of reputations: its steps, their history, what it has to look at, and how much of slowed mail went. */
export class Reputation1763940000000 implements MigrationInterface {
  name = 'Reputation1763940000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE reputation_guards (
        domain_id uuid NOT NULL,
        provider text NOT NULL,
        team_id uuid NOT NULL,
        step text NOT NULL,
        since timestamptz NOT NULL,
        look_at timestamptz NOT NULL,
        -- Only what happened since is looked at, less what had been counted of that hour before.
        evidence_from timestamptz NOT NULL,
        counted_before jsonb NOT NULL,
        slow_pace integer NOT NULL,
        evidence jsonb,
        lifted_at timestamptz,
        is_locked boolean NOT NULL,
        is_settled boolean NOT NULL,
        PRIMARY KEY (domain_id, provider)
      )`);
    await runner.query(
      `CREATE INDEX reputation_guards_due ON reputation_guards (look_at) WHERE step <> 'none' OR NOT is_settled`,
    );
    await runner.query(`CREATE INDEX reputation_guards_idle ON reputation_guards (since) WHERE step = 'none'`);
    await runner.query(`
      CREATE TABLE reputation_changes (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        domain_id uuid NOT NULL,
        provider text NOT NULL,
        from_step text NOT NULL,
        to_step text NOT NULL,
        because text NOT NULL,
        evidence jsonb,
        api_key_id uuid,
        actor_kind text,
        actor_id uuid,
        created_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX reputation_changes_of_domain ON reputation_changes (domain_id, id)');
    await runner.query(`
      CREATE TABLE reputation_pending (
        domain_id uuid NOT NULL,
        provider text NOT NULL,
        team_id uuid NOT NULL,
        due_at timestamptz NOT NULL DEFAULT now() + interval '2 seconds',
        PRIMARY KEY (domain_id, provider)
      )`);
    await runner.query('CREATE INDEX reputation_pending_due ON reputation_pending (due_at)');
    await runner.query(`
      CREATE TABLE paced_usage (
        domain_id uuid NOT NULL,
        provider text NOT NULL,
        -- What limits the mail, such as the guard for bulk mail.
        rule text NOT NULL,
        -- Number of the present period. It never goes back.
        period bigint NOT NULL,
        used integer NOT NULL,
        PRIMARY KEY (domain_id, provider, rule)
      ) WITH (fillfactor = 50)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
