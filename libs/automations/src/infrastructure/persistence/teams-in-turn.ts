/** Teams that one look finds. */
const maxTeams = 500;
/** Looks of one search: after 20,000 teams the next search goes on. */
const maxLooks = 40;
const noTeam = '00000000-0000-0000-0000-000000000000';

/** From the team behind $1: the teams with events, one probe of the index for each, and the last of them. */
export const teamsWithEvents = `WITH RECURSIVE in_turn AS (
    (SELECT team_id, 1 AS no FROM custom_event_occurrences WHERE team_id > $1 ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT n.team_id, t.no + 1 FROM in_turn t CROSS JOIN LATERAL (
      SELECT team_id FROM custom_event_occurrences WHERE team_id > t.team_id ORDER BY team_id LIMIT 1
    ) n WHERE t.no < ${maxTeams}
  )
  SELECT array_agg(team_id ORDER BY no) AS due, count(*)::int AS looked, max(team_id::text) AS last FROM in_turn`;

/** The same for teams with runs: `due` are those with runs that are due at $2. */
export const teamsWithRuns = `WITH RECURSIVE in_turn AS (
    (SELECT team_id, 1 AS no FROM automation_runs WHERE team_id > $1 AND due_at IS NOT NULL ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT n.team_id, t.no + 1 FROM in_turn t CROSS JOIN LATERAL (
      SELECT team_id FROM automation_runs WHERE team_id > t.team_id AND due_at IS NOT NULL ORDER BY team_id LIMIT 1
    ) n WHERE t.no < ${maxTeams}
  )
  SELECT array_agg(t.team_id ORDER BY t.no)
           FILTER (WHERE EXISTS (SELECT FROM automation_runs WHERE team_id = t.team_id AND due_at <= $2)) AS due,
         count(*)::int AS looked, max(t.team_id::text) AS last
  FROM in_turn t`;

/** The same for teams whose contacts have changed. */
export const teamsWithChangedContacts = `WITH RECURSIVE in_turn AS (
    (SELECT team_id, 1 AS no FROM automation_changed_contacts WHERE team_id > $1 ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT n.team_id, t.no + 1 FROM in_turn t CROSS JOIN LATERAL (
      SELECT team_id FROM automation_changed_contacts WHERE team_id > t.team_id ORDER BY team_id LIMIT 1
    ) n WHERE t.no < ${maxTeams}
  )
  SELECT array_agg(team_id ORDER BY no) AS due, count(*)::int AS looked, max(team_id::text) AS last FROM in_turn`;

/** The same for teams with dates of contacts: `due` are those with dates that have come at $2. */
export const teamsWithDates = `WITH RECURSIVE in_turn AS (
    (SELECT team_id, 1 AS no FROM automation_dates WHERE team_id > $1 ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT n.team_id, t.no + 1 FROM in_turn t CROSS JOIN LATERAL (
      SELECT team_id FROM automation_dates WHERE team_id > t.team_id ORDER BY team_id LIMIT 1
    ) n WHERE t.no < ${maxTeams}
  )
  SELECT array_agg(t.team_id ORDER BY t.no)
           FILTER (WHERE EXISTS (SELECT FROM automation_dates WHERE team_id = t.team_id AND due_at <= $2)) AS due,
         count(*)::int AS looked, max(t.team_id::text) AS last
  FROM in_turn t`;

/** The same for teams with calls: `due` are those with calls that are due at $2. */
export const teamsWithCalls = `WITH RECURSIVE in_turn AS (
    (SELECT team_id, 1 AS no FROM automation_calls WHERE team_id > $1 ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT n.team_id, t.no + 1 FROM in_turn t CROSS JOIN LATERAL (
      SELECT team_id FROM automation_calls WHERE team_id > t.team_id ORDER BY team_id LIMIT 1
    ) n WHERE t.no < ${maxTeams}
  )
  SELECT array_agg(t.team_id ORDER BY t.no)
           FILTER (WHERE EXISTS (SELECT FROM automation_calls WHERE team_id = t.team_id AND due_at <= $2)) AS due,
         count(*)::int AS looked, max(t.team_id::text) AS last
  FROM in_turn t`;

/** What a look at some teams has found. */
export interface Look extends Record<string, unknown> {
  readonly due: readonly string[] | null;
  readonly looked: number;
  readonly last: string | null;
}

/** Goes through the teams in the order of their ids, from search to search. */
export class Turn {
  private cursor = noTeam;

  /** The next teams with work, at most `max`. Empty: none of those that were looked at has any. */
  async next(max: number, look: (after: string) => Promise<Look | undefined>): Promise<readonly string[]> {
    for (let looks = 0; looks < maxLooks; looks++) {
      const from = this.cursor;
      const { due, looked, last } = (await look(from)) ?? { due: null, looked: 0, last: null };
      const isEnd = looked < maxTeams;
      const teams = (due ?? []).slice(0, max);
      const isCut = teams.length < (due ?? []).length;
      this.cursor = (isCut ? teams.at(-1) : isEnd ? noTeam : last) ?? noTeam;
      if (teams.length > 0 || (isEnd && from === noTeam)) return teams;
    }
    return [];
  }
}

/** What each team gets of a slice. */
export function shareOf(limit: number, teams: readonly string[]): number {
  return Math.max(1, Math.floor(limit / Math.max(1, teams.length)));
}
