import { setImmediate } from 'node:timers/promises';
import { newId } from '#kernel';
import { CopyRows, DatabaseTransaction, storableJson } from '#postgres/database';
import { ImportBatch } from '../../../application/ports/imported-contacts.port.js';
import { ImportedContact } from '../../../domain/imports/imported-contact.js';
import { historyOfCopied, knownAmong } from './import-statements.js';

export interface CopiedContact {
  readonly id: string;
  readonly email: string;
}

/** Addresses that are looked up before a copy. */
const sampleSize = 64;
/** Rows that are encoded without a pause: about a millisecond. */
const rowsOfPiece = 500;

const copyNew = `COPY contacts (id, team_id, email, first_name, last_name, unsubscribed, unsubscribed_at, properties, created_at,
                                updated_at) FROM STDIN (FORMAT binary)`;

/**
 * A copy of contacts that are all new, with their history. It costs two thirds of an INSERT that passes over known
 * contacts, which COPY cannot. The sample keeps copies rare that are in vain.
 */
export class ContactCopy {
  private constructor(
    private readonly contacts: readonly CopiedContact[],
    private readonly rows: Uint8Array,
    private readonly sample: readonly string[],
    private readonly batch: ImportBatch,
  ) {}

  /** Encodes the rows. Other work goes on between pieces of them. */
  static async of(contacts: readonly ImportedContact[], batch: ImportBatch): Promise<ContactCopy> {
    const copied: CopiedContact[] = [];
    const rows = new CopyRows(10);
    const ordered = inOrder(contacts);
    for (let from = 0; from < ordered.length; from += rowsOfPiece) {
      await setImmediate();
      for (const contact of ordered.slice(from, from + rowsOfPiece)) {
        const id = newId(batch.now.getTime());
        copied.push({ id, email: contact.email });
        addRow(rows, id, contact, batch);
      }
    }
    return new ContactCopy(copied, rows.end(), sampleOf(contacts), batch);
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

function addRow(rows: CopyRows, id: string, contact: ImportedContact, { teamId, now }: ImportBatch): void {
  const { email, firstName = null, lastName = null, unsubscribed = false, properties } = contact;
  rows.row().uuid(id).uuid(teamId).text(email).text(firstName).text(lastName);
  rows.boolean(unsubscribed).timestamp(unsubscribed ? now : null);
  rows.jsonb(storableJson(properties)).timestamp(now).timestamp(now);
}
