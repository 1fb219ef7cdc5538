import { Row } from '#postgres/database';
import { ErasedPortion } from './personal-data.js';

/** What stands in place of an address. */
const erased = 'erased';

/** Texts of a table that may name anybody, by column. */
export type TextColumns = Readonly<Record<string, 'text' | 'json' | 'jsonb'>>;

export interface ErasedRows {
  /** Undefined at the end. */
  readonly last: string | null;
  readonly read: number;
  readonly erased: number;
}

/**
 * Reads one portion of a team's rows and takes an address out of their texts. $1: the team, $2: `AddressSpellings.within`,
 * from $3 on: the keys of the row behind which the portion begins.
 *
 * @param keys columns of the portion, in its order.
 * @param changes statements on `portion p` that return a row for each row they change.
 */
export function erasingStatement(portion: string, keys: readonly string[], changes: readonly string[]): string {
  const made = changes.map((change, no) => `, changed${no} AS (${change} RETURNING 1)`).join('');
  const counted = changes.map((_, no) => `(SELECT count(*)::int FROM changed${no})`).join(' + ');
  const names = keys.join(', ');
  return `WITH portion AS MATERIALIZED (${portion})${made}
    SELECT (SELECT concat_ws(' ', ${names}) FROM portion ORDER BY (${names}) DESC LIMIT 1) AS last,
           (SELECT count(*)::int FROM portion) AS read, ${counted} AS erased`;
}

/** Whether a text of the row `t` names the address ($2). */
export function namesAddress(columns: TextColumns): string {
  return `concat_ws(' ', ${Object.keys(columns)
    .map((column) => `t.${column}::text`)
    .join(', ')}) ~ $2`;
}

/** Assignments that take the address ($2) out of the texts of the row `t`. */
export function withoutAddress(columns: TextColumns): string {
  return Object.entries(columns)
    .map(([column, type]) => `${column} = regexp_replace(t.${column}::text, $2, '\\1${erased}', 'g')::${type}`)
    .join(', ');
}

/** @param size of a portion that is not the last one. */
export function erasedPortionOf(row: Row<ErasedRows> | undefined, size: number): Omit<ErasedPortion, 'isWaiting'> {
  const { last = null, read = 0, erased: count = 0 } = row ?? {};
  return { erased: count, next: read === size ? (last ?? undefined) : undefined };
}
