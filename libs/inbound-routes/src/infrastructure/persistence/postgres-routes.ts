import { Injectable } from '@nestjs/common';
import { actorColumns } from '#identity';
import { firstIdAt, isUuid, Page, pageOf, PageRequest, Transaction, ValidationError } from '#kernel';
import { ShortCache } from '#platform/caching';
import {
  Database,
  DatabaseTransaction,
  lockName,
  ProcessNotifications,
  Statement,
  statementsOf,
} from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { RouteChanges, RouteRepository } from '../../application/ports/route-repository.port.js';
import { RouteResult, RouteResults } from '../../application/ports/route-results.port.js';
import { formatPattern } from '../../domain/address-pattern.js';
import { maxRoutes, Route } from '../../domain/route.js';
import { routeColumns, routeOf, RouteRow } from './route.row.js';

/** Name of the broadcast that says that routes of a team changed. Its payload is the team's id. */
const routesChanged = 'inbound_routes';
/** That of automations, for what `published_automation_routes` shows. */
const triggersChanged = 'automation_triggers';

@Injectable()
export class PostgresRouteRepository extends RouteRepository {
  private readonly ordered = new ShortCache<readonly Route[]>({ ttlMs: 10_000, maxEntries: 1_000 });
  private readonly followedRoutes = new ShortCache<ReadonlySet<string>>({ ttlMs: 10_000, maxEntries: 1_000 });

  constructor(
    private readonly database: Database,
    private readonly broadcast: ProcessNotifications,
  ) {
    super();
    broadcast.on(routesChanged, () => this.ordered.forget());
    broadcast.on(triggersChanged, () => this.followedRoutes.forget());
  }

  add(route: Route, max: number): Promise<Route | undefined> {
    return this.changing(route.teamId, async (transaction) => {
      const count = await countOf(route.teamId, transaction);
      if (count >= max) return undefined;
      const position = Math.min(route.position, count + 1);
      await shift(route.teamId, position, count, 1, transaction);
      await insert({ ...route, position }, transaction);
      return { ...route, position };
    });
  }

  async find(teamId: string, id: string): Promise<Route | undefined> {
    const [row] = await this.database.query<RouteRow>({
      text: `SELECT ${routeColumns} FROM inbound_routes WHERE team_id = $1 AND id = $2`,
      values: [teamId, id],
    });
    return row === undefined ? undefined : routeOf(row);
  }

  async list(teamId: string, { limit, after, before }: PageRequest): Promise<Page<Route>> {
    const cursor = after ?? before;
    if (cursor !== undefined && !isUuid(cursor))
      throw new ValidationError('The cursor must be the id of an item of the list.');
    const [operator, direction] = before === undefined ? ['>', 'ASC'] : ['<', 'DESC'];
    const rows = await this.database.query<RouteRow>({
      text: `SELECT ${routeColumns} FROM inbound_routes
             WHERE team_id = $1 ${
               cursor === undefined
                 ? ''
                 : `AND position ${operator} (SELECT position FROM inbound_routes WHERE team_id = $1 AND id = $2)`
             }
             ORDER BY position ${direction} LIMIT ${limit + 1}`,
      values: cursor === undefined ? [teamId] : [teamId, cursor],
    });
    return pageOf({ limit, after, before }, rows.map(routeOf));
  }

  async inOrder(teamId: string): Promise<readonly Route[]> {
    const load = async (): Promise<readonly Route[]> => {
      const rows = await this.database.query<RouteRow>({
        name: 'routes-in-order',
        text: `SELECT ${routeColumns} FROM inbound_routes WHERE team_id = $1 ORDER BY position LIMIT ${maxRoutes}`,
        values: [teamId],
      });
      return rows.map(routeOf);
    };
    return (await this.ordered.get(teamId, load)) ?? [];
  }

  async followed(teamId: string): Promise<ReadonlySet<string>> {
    const load = async (): Promise<ReadonlySet<string>> => {
      const rows = await this.database.query<{ id: string }>({
        name: 'routes-with-automations',
        text: 'SELECT DISTINCT route_id AS id FROM published_automation_routes WHERE team_id = $1',
        values: [teamId],
      });
      return new Set(rows.map(({ id }) => id));
    };
    return (await this.followedRoutes.get(teamId, load)) ?? new Set();
  }

  change(teamId: string, id: string, changes: RouteChanges, now: Date): Promise<Route | undefined> {
    return this.changing(teamId, async (transaction) => {
      const known = await positionOf(teamId, id, transaction);
      if (known === undefined) return undefined;
      const position = Math.min(changes.position ?? known, await countOf(teamId, transaction));
      if (position < known) await shift(teamId, position, known - 1, 1, transaction);
      if (position > known) await shift(teamId, known + 1, position, -1, transaction);
      const [row] = await transaction.query<RouteRow>({
        text: `UPDATE inbound_routes SET position = $3, name = coalesce($4, name), recipient = coalesce($5, recipient),
                 conditions = coalesce($6, conditions), action = coalesce($7, action), goes_on = coalesce($8, goes_on),
                 enabled = coalesce($9, enabled), updated_at = $10
               WHERE team_id = $1 AND id = $2 RETURNING ${routeColumns}`,
        values: [
          teamId,
          id,
          position,
          changes.name ?? null,
          changes.recipient === undefined ? null : formatPattern(changes.recipient),
          changes.conditions === undefined ? null : JSON.stringify(changes.conditions),
          changes.action === undefined ? null : JSON.stringify(changes.action),
          changes.goesOn ?? null,
          changes.enabled ?? null,
          now,
        ],
      });
      return row === undefined ? undefined : routeOf(row);
    });
  }

  remove(teamId: string, id: string): Promise<boolean> {
    return this.changing(teamId, async (transaction) => {
      const position = await positionOf(teamId, id, transaction);
      if (position === undefined) return false;
      await transaction.execute({
        text: 'DELETE FROM inbound_routes WHERE team_id = $1 AND id = $2',
        values: [teamId, id],
      });
      await shift(teamId, position + 1, maxRoutes + 1, -1, transaction);
      return true;
    });
  }

  /** One change of a team's routes after the other, so that the positions stay without gaps. */
  private async changing<Result>(
    teamId: string,
    work: (transaction: DatabaseTransaction) => Promise<Result>,
  ): Promise<Result> {
    const result = await this.database.run(async (transaction) => {
      await lockName(`inbound routes ${teamId}`, transaction);
      const changed = await work(transaction);
      await this.broadcast.send(routesChanged, teamId, transaction);
      return changed;
    });
    this.ordered.forget();
    return result;
  }
}

async function countOf(teamId: string, transaction: DatabaseTransaction): Promise<number> {
  const [row] = await transaction.query<{ count: string }>({
    text: 'SELECT count(*) AS count FROM inbound_routes WHERE team_id = $1',
    values: [teamId],
  });
  return Number(row?.count);
}

async function positionOf(teamId: string, id: string, transaction: DatabaseTransaction): Promise<number | undefined> {
  const [row] = await transaction.query<{ position: number }>({
    text: 'SELECT position FROM inbound_routes WHERE team_id = $1 AND id = $2',
    values: [teamId, id],
  });
  return row?.position;
}

async function shift(
  teamId: string,
  from: number,
  to: number,
  by: 1 | -1,
  transaction: DatabaseTransaction,
): Promise<void> {
  await transaction.execute({
    text: 'UPDATE inbound_routes SET position = position + $4 WHERE team_id = $1 AND position BETWEEN $2 AND $3',
    values: [teamId, from, to, by],
  });
}

async function insert(route: Route, transaction: DatabaseTransaction): Promise<void> {
  const { api_key_id = null, actor_kind = null, actor_id = null } = actorColumns(route.actor);
  await transaction.execute({
    text: `INSERT INTO inbound_routes (${routeColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    values: [
      route.id,
      route.teamId,
      route.position,
      route.name,
      formatPattern(route.recipient),
      JSON.stringify(route.conditions),
      JSON.stringify(route.action),
      route.goesOn,
      route.enabled,
      api_key_id,
      actor_kind,
      actor_id,
      route.createdAt,
      route.updatedAt,
    ],
  });
}

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

/** Deletes the results of emails that are past the retention. */
@Injectable()
export class RoutesPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ cutoff }: PurgeMoment): readonly Statement[] {
    return [
      {
        text: `DELETE FROM inbound_route_results WHERE (received_id, key) IN (
                 SELECT received_id, key FROM inbound_route_results
                 WHERE received_id < $1 ORDER BY received_id LIMIT ${maxRemovedRows})`,
        values: [firstIdAt(cutoff)],
      },
    ];
  }
}
