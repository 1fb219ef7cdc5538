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

/** A contact of a batch that stands in it several times, with what all of its rows say. */
export interface FoldedContact {
  readonly contact: ImportedContact;
  readonly rows: number;
}

/**
 * Each address once, in the order of its first row. With `upsert` later rows win field by field, as they would in batches of their own;
 * with `skip` the first row is the contact.
 */
export function folded(rows: readonly ImportedContact[], onConflict: 'upsert' | 'skip'): readonly FoldedContact[] {
  const byEmail = new Map<string, FoldedContact>();
  for (const row of rows) {
    const known = byEmail.get(row.email);
    if (known === undefined) byEmail.set(row.email, { contact: row, rows: 1 });
    else {
      const contact = onConflict === 'skip' ? known.contact : merged(known.contact, row);
      byEmail.set(row.email, { contact, rows: known.rows + 1 });
    }
  }
  return [...byEmail.values()];
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
