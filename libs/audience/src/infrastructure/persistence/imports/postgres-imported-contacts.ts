import { Transaction } from '#kernel';
import { DatabaseTransaction, statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';
import {
  ImportBatch,
  ImportedContacts,
  PreparedContacts,
  WrittenRows,
} from '../../../application/ports/imported-contacts.port.js';
import { folded, ImportedContact } from '../../../domain/imports/imported-contact.js';
import { ContactCopy, CopiedContact } from './contact-copy.js';
import { changes, creation, given, memberships, subscriptions } from './import-statements.js';

@Injectable()
export class PostgresImportedContacts extends ImportedContacts {
  async prepare(batch: ImportBatch): Promise<PreparedContacts> {
    const contacts = folded(batch.rows, batch.onConflict);
    return new PreparedBatch(contacts, batch, await ContactCopy.of(contacts, batch));
  }
}

class PreparedBatch extends PreparedContacts {
  constructor(
    private readonly contacts: readonly ImportedContact[],
    private readonly batch: ImportBatch,
    private readonly copy: ContactCopy,
  ) {
    super();
  }

  async write(transaction: Transaction): Promise<WrittenRows> {
    const { contacts, batch } = this;
    if (contacts.length === 0) return { created: 0, updated: 0, skipped: 0 };
    const statements = statementsOf(transaction);
    const created = await this.create(statements);
    const isUpsert = batch.onConflict === 'upsert';
    const known = isUpsert && created.length < contacts.length ? await this.change(created, statements) : [];
    await this.join([...created, ...known], statements);
    const again = batch.rows.length - created.length;
    return { created: created.length, updated: isUpsert ? again : 0, skipped: isUpsert ? 0 : again };
  }

  private async create(statements: DatabaseTransaction): Promise<readonly CopiedContact[]> {
    const { contacts, batch } = this;
    const copied = await this.copy.write(statements);
    return copied ?? (await statements.query<Row>(creation(given(contacts, batch.now), batch)));
  }

  private change(
    created: readonly CopiedContact[],
    statements: DatabaseTransaction,
  ): Promise<readonly CopiedContact[]> {
    const isNew = new Set(created.map(({ email }) => email));
    const known = this.contacts.filter(({ email }) => !isNew.has(email));
    return statements.query<Row>(changes(given(known, this.batch.now), this.batch));
  }

  private async join(contacts: readonly CopiedContact[], statements: DatabaseTransaction): Promise<void> {
    const { batch } = this;
    if (contacts.length === 0) return;
    const ids = contacts.map(({ id }) => id);
    if (batch.segmentIds.length > 0) await statements.execute(memberships(ids, batch));
    if (batch.topics.length > 0) await statements.execute(subscriptions(ids, batch));
  }
}

type Row = { id: string; email: string };
