import { storableText } from '#kernel';
import type { TimeLimits } from './time-limits.js';

/**
 * One SQL statement. With a `name` it is prepared once per connection. Hot paths name their statements and keep the text
 * constant (arrays through `unnest`, never a text that grows with the batch).
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /** Bytes are a `Buffer`, or `BytesInPieces` if they are large. */
  readonly values?: unknown[];
  /** Limits of a statement outside a transaction. Default: `ordinaryLimits`. In a transaction its limits apply. */
  readonly limits?: TimeLimits;
}

/** A row of a result, by column name. */
export type Row<T> = T & Record<string, unknown>;

/**
 * JSON that PostgreSQL can store, for any text from outside: without NUL and without half surrogate pairs, which occur
 * where a text is cut to a length.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON.stringify writes both as escapes. Without such an escape the text is already storable.
  if (!escapedTrouble.test(json)) return json;
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'string') return storableText(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [storableText(key), inner as unknown]));
  });
}

const escapedTrouble = /\\u(?:0000|d[89a-f])/;
