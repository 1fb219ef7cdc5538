import type { LiveEvent } from '../domain/live-event.js';
import type { LiveChange } from './ports/live-changes.port.js';

/** Emails of a team that are named at once. A list shows fewer. */
export const maxNamed = 100;
/** Emails that are loaded at once for all teams. */
const maxLoaded = 1_000;

/** The ids of the emails to load. Those of a team with too many changes are left out. */
export function tellable(changes: readonly LiveChange[]): readonly string[] {
  const ids: string[] = [];
  for (const [, named] of namedByTeam(changes)) if (named !== undefined) ids.push(...named);
  return ids.slice(0, maxLoaded);
}

/** The events that tell a team of its changes. `emails` are those that were loaded for it. */
export function told(changes: readonly LiveChange[], emails: readonly object[]): readonly LiveEvent[] {
  const [named] = namedByTeam(changes).values();
  const hasEmails = changes.some(({ topic }) => topic === 'emails');
  const isWhole = named !== undefined && emails.length >= named.size;
  const types = new Set(changes.flatMap(({ topic, names }) => (topic === 'events' ? (names ?? []) : [])));
  const shown = named === undefined ? [] : emails.filter((email) => named.has((email as { id: string }).id));
  return [
    ...(shown.length > 0 ? [{ type: 'emails', emails: shown } as const] : []),
    ...(hasEmails && !isWhole ? [{ type: 'changed', topics: ['emails'] } as const] : []),
    ...(types.size > 0 ? [{ type: 'events', events: [...types] } as const] : []),
  ];
}

/** By team; undefined if more changed than can be named. */
function namedByTeam(changes: readonly LiveChange[]): ReadonlyMap<string, ReadonlySet<string> | undefined> {
  const teams = new Map<string, Set<string> | undefined>();
  for (const { teamId, topic, names } of changes) {
    if (topic !== 'emails') continue;
    const known = teams.has(teamId) ? teams.get(teamId) : new Set<string>();
    for (const name of names ?? []) known?.add(name);
    teams.set(teamId, names === undefined || known === undefined || known.size > maxNamed ? undefined : known);
  }
  return teams;
}
