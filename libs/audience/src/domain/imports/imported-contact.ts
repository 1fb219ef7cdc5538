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

/**
 * Each address once, in the order of its first row. With `upsert` later rows win field by field, as they would in batches of their own;
 * with `skip` the first row is the contact.
 */
export function folded(rows: readonly ImportedContact[], onConflict: 'upsert' | 'skip'): readonly ImportedContact[] {
  const byEmail = new Map<string, ImportedContact>();
  for (const row of rows) {
    const known = byEmail.get(row.email);
    if (known === undefined) byEmail.set(row.email, row);
    else if (onConflict === 'upsert') byEmail.set(row.email, merged(known, row));
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
