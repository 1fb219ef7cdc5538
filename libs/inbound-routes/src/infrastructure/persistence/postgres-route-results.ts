import { Database } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { erasedKey } from './erased-key.js';
import { RouteResult, RouteResults } from '../../application/ports/route-results.port.js';

/** A message has at most 100 recipients here, and each of them some actions. */
const maxListed = 500;

@Injectable()
export class PostgresRouteResults extends RouteResults {
  constructor(private readonly database: Database) {
    super();
  }

  async add(result: RouteResult): Promise<void> {
    await this.database.execute({
      text: `INSERT INTO inbound_route_results
               (received_id, key, team_id, route_id, action, target, outcome, detail, email_id, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
      values: [
        ...[result.receivedId, result.key, result.teamId, result.routeId, result.action, result.target],
        ...[result.outcome, result.detail, result.emailId, result.createdAt],
      ],
    });
  }

  async doneAmong(receivedId: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const rows = await this.database.query<{ key: string }>({
      text: `SELECT given.key FROM unnest($2::text[]) AS given (key) WHERE EXISTS (
               SELECT FROM inbound_route_results r WHERE r.received_id = $1 AND r.key IN (given.key, ${erasedKey('given.key')}))`,
      values: [receivedId, keys],
    });
    return new Set(rows.map(({ key }) => key));
  }

  of(receivedId: string): Promise<readonly RouteResult[]> {
    return this.database.query<RouteResult & Record<string, unknown>>({
      text: `SELECT received_id AS "receivedId", key, team_id AS "teamId", route_id AS "routeId", action, target, outcome, detail,
                    email_id AS "emailId", created_at AS "createdAt"
             FROM inbound_route_results WHERE received_id = $1 ORDER BY created_at, key LIMIT ${maxListed}`,
      values: [receivedId],
    });
  }
}
