import { actorOf } from '#identity';
import { parsePattern } from '../../domain/address-pattern.js';
import { HeaderCondition } from '../../domain/header-condition.js';
import { Route, RouteAction } from '../../domain/route.js';

export interface RouteRow extends Record<string, unknown> {
  readonly id: string;
  readonly team_id: string;
  readonly position: number;
  readonly name: string;
  readonly recipient: string;
  readonly conditions: readonly HeaderCondition[];
  readonly action: RouteAction;
  readonly goes_on: boolean;
  readonly enabled: boolean;
  readonly api_key_id: string | null;
  readonly actor_kind: string | null;
  readonly actor_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const routeColumns =
  'id, team_id, position, name, recipient, conditions, action, goes_on, enabled, api_key_id, actor_kind, actor_id, created_at, updated_at';

export function routeOf(row: RouteRow): Route {
  return {
    id: row.id,
    teamId: row.team_id,
    position: row.position,
    name: row.name,
    recipient: parsePattern(row.recipient),
    conditions: row.conditions,
    action: row.action,
    goesOn: row.goes_on,
    enabled: row.enabled,
    actor: actorOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
