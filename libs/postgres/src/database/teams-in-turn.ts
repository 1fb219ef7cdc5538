/** Teams that one look finds. */
const maxTeams = 500;
/** Looks of one search: after 20,000 teams the next search goes on. */
const maxLooks = 40;
const noTeam = '00000000-0000-0000-0000-000000000000';

/**
 * The statement of a look: from the team behind $1, the teams with rows, those of them that are due, and the last one.
 *
 * `next` is a query for the `team_id` behind a given one, which costs one probe of an index. `isDue` is a condition on
 * the team `t`. A table is named in them by its own lib.
 */
export function teamsInTurn(next: (after: string) => string, isDue = 'true'): string {
  return `WITH RECURSIVE in_turn AS (
      SELECT n.team_id, 1 AS no FROM (${next('$1')}) n
      UNION ALL
      SELECT n.team_id, t.no + 1 FROM in_turn t CROSS JOIN LATERAL (${next('t.team_id')}) n WHERE t.no < ${maxTeams}
    )
    SELECT array_agg(t.team_id ORDER BY t.no) FILTER (WHERE ${isDue}) AS due,
           count(*)::int AS looked, max(t.team_id::text) AS last
    FROM in_turn t`;
}

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
    const start = this.cursor;
    let isSecondRound = false;
    for (let looks = 0; looks < maxLooks; looks++) {
      const { due, looked, last } = (await look(this.cursor)) ?? { due: null, looked: 0, last: null };
      const isEnd = looked < maxTeams;
      const teams = (due ?? []).slice(0, max);
      const isCut = teams.length < (due ?? []).length;
      this.cursor = (isCut ? teams.at(-1) : isEnd ? noTeam : last) ?? noTeam;
      const isBackAtStart = isSecondRound ? isEnd || this.cursor >= start : isEnd && start === noTeam;
      if (teams.length > 0 || isBackAtStart) return teams;
      isSecondRound ||= isEnd;
    }
    return [];
  }
}
