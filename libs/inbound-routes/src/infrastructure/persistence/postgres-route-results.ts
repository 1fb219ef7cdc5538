import { Transaction } from '#kernel';
import { Database, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { RouteResult, RouteResults } from '../../application/ports/route-results.port.js';

/** A message has at most 100 recipients here, and each of them some actions. */
const maxListed = 500;

/** SQL of the key that a result has once its address is erased. */
export const erasedKey = (key: string): string => `'erased ' || encode(sha256(convert_to(${key}, 'UTF8')), 'hex')`;

@Injectable()
export class PostgresRouteResults extends RouteResults {
  constructor(private readonly database: Database) {
    super();
  }

  async add(result: RouteResult, transaction?: Transaction): Promise<boolean> {
    const statements = transaction === undefined ? this.database : statementsOf(transaction);
    const added = await statements.execute({
      text: `INSERT INTO inbound_route_results
               (received_id, key, team_id, route_id, action, target, outcome, detail, email_id, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
      values: [
        result.receivedId,
        result.key,
        result.teamId,
        result.routeId,
        result.action,
        result.target,
        result.outcome,
        result.detail,
        result.emailId,
        result.createdAt,
      ],
    });
    return added > 0;
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

  async forwardsSince(teamId: string, since: Date, limit: number): Promise<number> {
    const [row] = await this.database.query<{ count: number }>({
      name: 'count-route-forwards',
      text: `SELECT count(*)::int AS count FROM (
               SELECT FROM inbound_route_results WHERE team_id = $1 AND action = 'forward' AND created_at > $2 LIMIT $3) AS f`,
      values: [teamId, since, limit],
    });
    return row?.count ?? 0;
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
