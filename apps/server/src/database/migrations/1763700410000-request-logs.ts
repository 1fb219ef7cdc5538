import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * API requests, partitioned by day over their UUIDv7. Bodies are stored as unchanged text (`json`, not `jsonb`).
 * One index serves both the list and the single log, because a second one would cost time with every request.
 */
export class RequestLogs1763700410000 implements MigrationInterface {
  name = 'RequestLogs1763700410000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE request_logs (
      id uuid NOT NULL,
      team_id uuid NOT NULL,
      api_key_id uuid NOT NULL,
      created_at timestamptz NOT NULL,
      response_status smallint NOT NULL,
      method text NOT NULL,
      endpoint text NOT NULL,
      user_agent text,
      request_body json,
      response_body json,
      PRIMARY KEY (team_id, id)
    ) PARTITION BY RANGE (id)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
