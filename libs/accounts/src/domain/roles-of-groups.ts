import type { TeamRole } from '#identity';
import { isAbove } from './team-rules.js';

/** Roles by group, then by id of the team. */
export type GroupRoles = Readonly<Record<string, Readonly<Record<string, TeamRole>>>>;

/**
 * The roles that groups give, by id of the team: of several in one team the highest. `groups` is the claim as the provider
 * sent it, a text or an array of texts; everything else gives nothing.
 */
export function rolesOfGroups(mapping: GroupRoles, groups: unknown): ReadonlyMap<string, TeamRole> {
  const roles = new Map<string, TeamRole>();
  for (const group of Array.isArray(groups) ? (groups as unknown[]) : [groups]) {
    if (typeof group !== 'string' || !Object.hasOwn(mapping, group)) continue;
    for (const [teamId, role] of Object.entries(mapping[group] ?? {})) {
      const known = roles.get(teamId);
      if (known === undefined || isAbove(role, known)) roles.set(teamId, role);
    }
  }
  return roles;
}
