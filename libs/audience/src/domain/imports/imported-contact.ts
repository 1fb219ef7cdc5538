import { maxTogether, sizeOf } from '../property.js';

/** What a file says of one contact. An absent field says nothing: it leaves a known contact as it is. */
export interface ImportedContact {
  /** In lower case. */
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  /** True unsubscribes a known contact; false never subscribes one again that wanted no more mail. */
  readonly unsubscribed?: boolean;
  readonly properties: Readonly<Record<string, string | number>>;
}

export interface FoldedRows {
  /** Each address once, in the order of its first row. */
  readonly contacts: readonly ImportedContact[];
  /** The places of rows that would give a contact more values than it may have. */
  readonly refused: readonly number[];
}

/**
 * With `upsert` later rows win field by field, as they would in batches of their own; with `skip` the first row is the
 * contact. Each row by itself has no more values than a contact may have.
 */
export function folded(rows: readonly ImportedContact[], onConflict: 'upsert' | 'skip'): FoldedRows {
  const byEmail = new Map<string, ImportedContact>();
  const refused: number[] = [];
  rows.forEach((row, no) => {
    const known = byEmail.get(row.email);
    if (known === undefined) return void byEmail.set(row.email, row);
    if (onConflict === 'skip') return;
    const both = merged(known, row);
    if (sizeOf(both.properties) > maxTogether) refused.push(no);
    else byEmail.set(row.email, both);
  });
  return { contacts: [...byEmail.values()], refused };
}

function merged(earlier: ImportedContact, later: ImportedContact): ImportedContact {
  return {
    email: earlier.email,
    firstName: later.firstName ?? earlier.firstName,
    lastName: later.lastName ?? earlier.lastName,
    unsubscribed: earlier.unsubscribed === true || later.unsubscribed,
    properties: { ...earlier.properties, ...later.properties },
  };
}
