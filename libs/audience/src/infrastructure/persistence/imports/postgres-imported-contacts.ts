import { Transaction } from '#kernel';
import { DatabaseTransaction, statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { ImportBatch, ImportedContacts, WrittenRows } from '../../../application/ports/imported-contacts.port.js';
import { folded, FoldedContact } from '../../../domain/imports/imported-contact.js';
import { copyContacts } from './copy-contacts.js';
import { changes, creation, given, memberships, subscriptions } from './import-statements.js';

type IdRow = { id: string; email: string };

@Injectable()
export class PostgresImportedContacts extends ImportedContacts {
  async write(batch: ImportBatch, transaction: Transaction): Promise<WrittenRows> {
    const contacts = folded(batch.rows, batch.onConflict);
    if (contacts.length === 0) return { created: 0, updated: 0, skipped: 0 };
    const statements = statementsOf(transaction);
    const created = await this.create(contacts, batch, statements);
    const isUpsert = batch.onConflict === 'upsert';
    const known =
      isUpsert && created.length < contacts.length ? await this.change(contacts, created, batch, statements) : [];
    await this.join([...created, ...known], batch, statements);
    const again = batch.rows.length - created.length;
    return { created: created.length, updated: isUpsert ? again : 0, skipped: isUpsert ? 0 : again };
  }

  private async create(
    contacts: readonly FoldedContact[],
    batch: ImportBatch,
    statements: DatabaseTransaction,
  ): Promise<readonly IdRow[]> {
    const all = contacts.map(({ contact }) => contact);
    const copied = await copyContacts(all, batch, statements);
    return copied ?? (await statements.query<IdRow>(creation(given(all, batch.now), batch)));
  }

  private change(
    contacts: readonly FoldedContact[],
    created: readonly IdRow[],
    batch: ImportBatch,
    statements: DatabaseTransaction,
  ): Promise<IdRow[]> {
    const isNew = new Set(created.map(({ email }) => email));
    const known = contacts.filter(({ contact }) => !isNew.has(contact.email)).map(({ contact }) => contact);
    return statements.query<IdRow>(changes(given(known, batch.now), batch));
  }

  private async join(contacts: readonly IdRow[], batch: ImportBatch, statements: DatabaseTransaction): Promise<void> {
    if (contacts.length === 0) return;
    const ids = contacts.map(({ id }) => id);
    if (batch.segmentIds.length > 0) await statements.execute(memberships(ids, batch));
    if (batch.topics.length > 0) await statements.execute(subscriptions(ids, batch));
  }
}
