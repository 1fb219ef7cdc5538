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
