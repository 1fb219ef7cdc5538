/**
 * What runs carry with them: payloads, events that they have waited for, answers to their calls. A run may have more than
 * 600 KB of it, and PostgreSQL writes numbers out: 9,000 times `1e308` are 3 MB. A claim takes what is small with the
 * runs; the rest is read for as many of them as fit, the others stay due.
 */
import { Transaction } from '#kernel';
import { Row, statementsOf } from '#postgres/database';
import { RunRow } from './run-statements.js';

type State = Pick<RunRow, 'payload' | 'waitEvents' | 'webhooks' | 'call'>;

/** A run of a claim. A large one comes without its state. */
export type ClaimedRow = RunRow & { readonly isLarge: boolean };

/** Of the large runs in a slice, as JSON. */
const maxBytes = 8_000_000;
/** Large runs of the first statement, which measures all of them. Each further one takes twice as many. */
const firstRuns = 5;
/** Bytes of a column. PostgreSQL compresses what makes a row larger than 2 KB, or stores it elsewhere. */
const maxSmallBytes = 2_000;

const columns = { payload: 'payload', waitEvents: 'wait_events', webhooks: 'webhooks', call: 'call' };

/** Neither function reads what is stored elsewhere. */
const isLarge = (column: string): string =>
  `coalesce(pg_column_size(r.${column}) > ${maxSmallBytes} OR pg_column_compression(r.${column}) IS NOT NULL, false)`;

/** The columns of a {@link ClaimedRow} about its state. */
export const smallState = [
  ...Object.entries(columns).map(([name, each]) => `CASE WHEN NOT ${isLarge(each)} THEN r.${each} END AS "${name}"`),
  `(${Object.values(columns).map(isLarge).join(' OR ')}) AS "isLarge"`,
].join(',\n  ');

const state = Object.entries(columns).map(([name, each]) => `r.${each} AS "${name}"`);
const bytes = Object.values(columns).map((each) => `coalesce(octet_length(r.${each}::text), 0)`);

/** OFFSET keeps PostgreSQL from measuring each run twice. */
const readLarge = `SELECT * FROM (
    SELECT r.id, ${state.join(', ')}, b.bytes, sum(b.bytes) OVER (ORDER BY t.no) - b.bytes AS before
    FROM unnest($1::uuid[]) WITH ORDINALITY AS t (id, no) JOIN automation_runs r ON r.id = t.id
    CROSS JOIN LATERAL (SELECT ${bytes.join(' + ')} AS bytes OFFSET 0) b
  ) s WHERE before < $2`;

/** Returns the runs of a claim with their state, without the large ones that do not fit. All of them are locked. */
export async function withState<One extends ClaimedRow>(
  claimed: readonly One[],
  transaction: Transaction,
): Promise<readonly One[]> {
  const large = claimed.filter((row) => row.isLarge);
  if (large.length === 0) return claimed;
  const states = new Map<string, State>();
  let read = 0;
  for (let from = 0, runs = firstRuns; from < large.length && read < maxBytes; from += runs, runs *= 2) {
    const rows = await statementsOf(transaction).query<Row<State & { id: string; bytes: number; before: string }>>({
      name: 'state-of-large-runs',
      text: readLarge,
      values: [large.slice(from, from + runs).map(({ id }) => id), maxBytes - read],
    });
    for (const { id, bytes: size, before: _before, ...stateOfRun } of rows) {
      states.set(id, stateOfRun);
      read += size;
    }
  }
  return claimed.flatMap((row) => {
    const known = states.get(row.id);
    if (!row.isLarge) return [row];
    return known === undefined ? [] : [{ ...row, ...known }];
  });
}
