/**
 * Every claim of rows is written here, so that concurrent claims never wait for each other and never get the same row: one
 * that another transaction has locked is passed over.
 *
 * `rows` is SQL from FROM to LIMIT: which rows are due, and in which order. Where it joins tables, `of` is the alias of the
 * one whose rows are claimed. A claim lasts until the end of its transaction (`lockRows`), for ever
 * (`DELETE … WHERE ${claimed(…)}`), or for a lease that the row says (`UPDATE … WHERE ${claimed(…)}`).
 */
export function lockRows(columns: string, rows: string, of?: string): string {
  return `SELECT ${columns} ${rows} FOR UPDATE ${of === undefined ? '' : `OF ${of} `}SKIP LOCKED`;
}

/**
 * The condition of a statement that deletes or updates the rows that it claims. The keys come from an array where they have
 * one column: for a subquery with a limit PostgreSQL may plan a join, and then scans the whole table.
 */
export function claimed(key: string, rows: string, of?: string): string {
  const columns = key.split(', ');
  const locked = lockRows(
    columns.map((column) => (of === undefined ? column : `${of}.${column}`)).join(', '),
    rows,
    of,
  );
  return columns.length === 1 ? `${key} = ANY (ARRAY(${locked}))` : `(${key}) IN (${locked})`;
}

/**
 * Locks rows of the teams $1, in their order, at most as many of each as it has places ($2, see `placesOf`). `rows` ends with
 * its order and contains the condition `team_id = t.team_id`.
 */
export function lockRowsOfTeams(columns: string, rows: string, of?: string): string {
  return `SELECT d.* FROM unnest($1::uuid[], $2::int[]) AS t (team_id, places) CROSS JOIN LATERAL (
            ${lockRows(columns, `${rows} LIMIT greatest(t.places, 0)`, of)}
          ) d`;
}

/** Equal parts of a limit for teams in turn, and no more than what is free of the places that a team may hold. */
export function placesOf(
  teams: readonly string[],
  limit: number,
  held: ReadonlyMap<string, number> = new Map(),
  maxOfTeam = limit,
): number[] {
  const share = Math.max(1, Math.floor(limit / Math.max(1, teams.length)));
  return teams.map((team) => Math.min(share, maxOfTeam - (held.get(team) ?? 0)));
}
