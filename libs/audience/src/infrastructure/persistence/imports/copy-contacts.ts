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

const copyNew = `COPY contacts (id, team_id, email, first_name, last_name, unsubscribed, unsubscribed_at, properties, created_at,
                                updated_at) FROM STDIN`;

/**
 * Copies contacts that are all new, with their history. It costs two thirds of an INSERT that passes over known contacts, which COPY
 * cannot. Where a contact is known, or becomes known meanwhile, nothing is written and undefined is returned. The sample keeps
 * copies rare that are then in vain.
 */
export async function copyContacts(
  contacts: readonly ImportedContact[],
  batch: ImportBatch,
  statements: DatabaseTransaction,
): Promise<readonly CopiedContact[] | undefined> {
  if ((await statements.query(knownAmong(sampleOf(contacts), batch))).length > 0) return undefined;
  const copied = inOrder(contacts).map((contact) => ({
    id: newId(batch.now.getTime()),
    email: contact.email,
    contact,
  }));
  const savepoint = statements.execute({ text: 'SAVEPOINT before_copy' });
  savepoint.catch(() => undefined);
  try {
    await statements.copy(copyNew, rowsOf(copied, batch));
  } catch (error) {
    await savepoint;
    if ((error as { code?: unknown }).code !== '23505') throw error;
    await statements.execute({ text: 'ROLLBACK TO SAVEPOINT before_copy' });
    return undefined;
  }
  const ids = copied.map(({ id }) => id);
  await statements.execute(historyOfCopied(ids, batch));
  return copied;
}

function sampleOf(contacts: readonly ImportedContact[]): string[] {
  const step = Math.max(1, Math.floor(contacts.length / sampleSize));
  return contacts.filter((_, no) => no % step === 0).map(({ email }) => email);
}

/** In the order in which statements lock contacts, so that two writers cannot wait for each other. */
function inOrder(contacts: readonly ImportedContact[]): readonly ImportedContact[] {
  return [...contacts].sort((a, b) => (a.email < b.email ? -1 : 1));
}

function rowsOf(
  copied: readonly { readonly id: string; readonly contact: ImportedContact }[],
  { teamId, now }: ImportBatch,
): Uint8Array {
  const at = now.toISOString();
  let text = '';
  for (const { id, contact } of copied) {
    const { email, firstName = null, lastName = null, unsubscribed = false, properties } = contact;
    const flags = unsubscribed ? (['t', at] as const) : (['f', null] as const);
    text += copyRow([id, teamId, email, firstName, lastName, ...flags, storableJson(properties), at, at]);
  }
  return Buffer.from(text);
}
