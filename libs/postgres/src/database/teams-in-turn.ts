import { WorkPlaces } from '#kernel';
import { lockRows } from './claims.js';
import type { Row, Statement } from './statement.js';

/** Teams that one look finds. */
const maxTeams = 500;
/** Looks of one search: after 20,000 teams the next search goes on. */
const maxLooks = 40;
const noTeam = '00000000-0000-0000-0000-000000000000';

/** A table with work of teams, in which teams are found along an index that begins with `team_id`. */
export interface TableOfTeams {
  readonly table: string;
  /** A condition on the rows that are looked at. */
  readonly where?: string;
  /** Whether only teams take a turn of which a row is due: its `due_at` has come at $2. */
  readonly isTimed?: boolean;
  /** A condition on the team `t`. */
  readonly mayServe?: string;
}

interface Look extends Record<string, unknown> {
  readonly due: readonly string[] | null;
  readonly looked: number;
  readonly last: string | null;
}

/**
 * The statement of a look: from the team behind $1, the teams with rows, those of them that are due, and the last one.
 * Each team costs one probe of an index.
 */
function teamsBehind({ table, where = 'true', isTimed = false, mayServe = 'true' }: TableOfTeams): Statement {
  const next = (after: string): string =>
    `SELECT team_id FROM ${table} WHERE team_id > ${after} AND ${where} ORDER BY team_id LIMIT 1`;
  const isDue = isTimed ? `(SELECT min(due_at) FROM ${table} WHERE team_id = t.team_id) <= $2` : 'true';
  return {
    name: `teams-of-${table}`,
    text: `WITH RECURSIVE in_turn AS (
             SELECT n.team_id, 1 AS no FROM (${next('$1')}) n
             UNION ALL
             SELECT n.team_id, t.no + 1 FROM in_turn t CROSS JOIN LATERAL (${next('t.team_id')}) n WHERE t.no < ${maxTeams}
           )
           SELECT array_agg(t.team_id ORDER BY t.no) FILTER (WHERE ${mayServe} AND ${isDue}) AS due,
                  count(*)::int AS looked, max(t.team_id::text) AS last
           FROM in_turn t`,
  };
}

/** A database, or a transaction of it. */
interface Statements {
  query<Found extends Record<string, unknown>>(statement: Statement): Promise<Found[]>;
}

/** Goes through the teams in the order of their ids, from search to search. */
export class Turn {
  private cursor = noTeam;
  private readonly look: Statement;

  constructor(table: TableOfTeams) {
    this.look = teamsBehind(table);
  }

  /** The next teams with work, at most `max`. Empty: none of those that were looked at has any. `values`: from $2. */
  async next(max: number, statements: Statements, ...values: unknown[]): Promise<readonly string[]> {
    const start = this.cursor;
    let isSecondRound = false;
    for (let looks = 0; looks < maxLooks; looks++) {
      const [found] = await statements.query<Look>({ ...this.look, values: [this.cursor, ...values] });
      const { due, looked, last } = found ?? { due: null, looked: 0, last: null };
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

/** A table of work that is leased: each row has a team, and from `due_at` on it may be taken. */
export interface TableOfWork {
  readonly table: string;
  /** Names of the columns of its key. */
  readonly key: string;
  /** Columns of the rows `w` that were taken. */
  readonly returning: string;
}

/** Leases work. Teams take turns, those that hold the fewest places first. */
export class LeasesInTurn<Work> {
  private readonly turn: Turn;
  private readonly lease: Statement;

  constructor({ table, key, returning }: TableOfWork) {
    this.turn = new Turn({
      table,
      where: `(SELECT min(due_at) FROM ${table}) <= $2`,
      isTimed: true,
      mayServe: 't.team_id <> ALL ($3::uuid[])',
    });
    const keyOf = (alias: string): string =>
      `(${key
        .split(', ')
        .map((column) => `${alias}.${column}`)
        .join(', ')})`;
    this.lease = {
      name: `lease-${table}`,
      // Rows are locked one by one in their order, so that what another process takes at this moment is passed over.
      text: `WITH due AS (
               SELECT w.*, t.places + row_number() OVER (PARTITION BY t.team_id ORDER BY w.due_at) AS turn
               FROM unnest($4::uuid[], $5::integer[]) AS t (team_id, places) CROSS JOIN LATERAL (
                 SELECT ${key}, due_at FROM ${table} WHERE team_id = t.team_id AND due_at <= $1
                 ORDER BY due_at LIMIT $6 - t.places
               ) w
             ), taken AS (
               SELECT w.* FROM (SELECT ${key} FROM due ORDER BY turn, due_at) d CROSS JOIN LATERAL (
                 ${lockRows(key, `FROM ${table} WHERE (${key}) = ${keyOf('d')} AND due_at <= $1`)}
               ) w LIMIT $3
             )
             UPDATE ${table} w SET due_at = $2 FROM taken WHERE ${keyOf('w')} = ${keyOf('taken')}
             RETURNING ${returning}`,
    };
  }

  async take(
    statements: Statements,
    now: Date,
    leaseUntil: Date,
    { limit, maxPerTeam, held }: WorkPlaces,
  ): Promise<readonly Work[]> {
    const full = [...held].filter(([, places]) => places >= maxPerTeam).map(([teamId]) => teamId);
    const teams = await this.turn.next(maxTeams, statements, now, full);
    if (teams.length === 0) return [];
    const places = teams.map((team) => held.get(team) ?? 0);
    return statements.query<Row<Work>>({
      ...this.lease,
      values: [now, leaseUntil, limit, teams, places, maxPerTeam],
    });
  }
}
