import { setImmediate } from 'node:timers/promises';
import { newId } from '#kernel';
import { copyRow, DatabaseTransaction, storableJson } from '#platform/database';
import { ImportBatch } from '../../../application/ports/imported-contacts.port.js';
import { ImportedContact } from '../../../domain/imports/imported-contact.js';
import { historyOfCopied, knownAmong } from './import-statements.js';

export interface CopiedContact {
  readonly id: string;
  readonly email: string;
}

/** Addresses that are looked up before a copy. */
const sampleSize = 64;
/** Rows that are written as text without a pause: about a millisecond. */
const rowsOfPiece = 500;

const copyNew = `COPY contacts (id, team_id, email, first_name, last_name, unsubscribed, unsubscribed_at, properties, created_at,
                                updated_at) FROM STDIN`;

/**
 * A copy of contacts that are all new, with their history. It costs two thirds of an INSERT that passes over known contacts, which
 * COPY cannot. The sample keeps copies rare that are in vain.
 */
export class ContactCopy {
  private constructor(
    private readonly contacts: readonly CopiedContact[],
    private readonly rows: Uint8Array,
    private readonly sample: readonly string[],
    private readonly batch: ImportBatch,
  ) {}

  /** Writes the rows as text. Other work goes on between pieces of them. */
  static async of(contacts: readonly ImportedContact[], batch: ImportBatch): Promise<ContactCopy> {
    const copied: CopiedContact[] = [];
    const pieces: Uint8Array[] = [];
    const ordered = inOrder(contacts);
    for (let from = 0; from < ordered.length; from += rowsOfPiece) {
      await setImmediate();
      let text = '';
      for (const contact of ordered.slice(from, from + rowsOfPiece)) {
        const id = newId(batch.now.getTime());
        copied.push({ id, email: contact.email });
        text += rowOf(id, contact, batch);
      }
      pieces.push(Buffer.from(text));
    }
    return new ContactCopy(copied, Buffer.concat(pieces), sampleOf(contacts), batch);
  }

  /** Where a contact is known, or becomes known meanwhile, nothing is written and undefined is returned. */
  async write(statements: DatabaseTransaction): Promise<readonly CopiedContact[] | undefined> {
    const { contacts, batch } = this;
    if ((await statements.query(knownAmong(this.sample, batch))).length > 0) return undefined;
    const ids = contacts.map(({ id }) => id);
    // The history first: nothing may be sent behind a copy until it has ended, and PostgreSQL would wait meanwhile.
    const before = Promise.all([
      statements.execute({ text: 'SAVEPOINT before_copy' }),
      statements.execute(historyOfCopied(ids, batch)),
    ]);
    before.catch(() => undefined);
    try {
      await statements.copy(copyNew, this.rows);
    } catch (error) {
      await before;
      if ((error as { code?: unknown }).code !== '23505') throw error;
      await statements.execute({ text: 'ROLLBACK TO SAVEPOINT before_copy' });
      return undefined;
    }
    return contacts;
  }
}

function sampleOf(contacts: readonly ImportedContact[]): string[] {
  const step = Math.max(1, Math.floor(contacts.length / sampleSize));
  return contacts.filter((_, no) => no % step === 0).map(({ email }) => email);
}

/** In the order in which statements lock contacts, so that two writers cannot wait for each other. */
function inOrder(contacts: readonly ImportedContact[]): readonly ImportedContact[] {
  return [...contacts].sort((a, b) => (a.email < b.email ? -1 : 1));
}

function rowOf(id: string, contact: ImportedContact, { teamId, now }: ImportBatch): string {
  const { email, firstName = null, lastName = null, unsubscribed = false, properties } = contact;
  const at = now.toISOString();
  const flags = unsubscribed ? (['t', at] as const) : (['f', null] as const);
  return copyRow([id, teamId, email, firstName, lastName, ...flags, storableJson(properties), at, at]);
}
