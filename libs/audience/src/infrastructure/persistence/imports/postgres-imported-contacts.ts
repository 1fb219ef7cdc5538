import { Clock, Transaction } from '#kernel';
import { DatabaseTransaction, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import {
  ImportBatch,
  ImportedContacts,
  PreparedContacts,
  WrittenRows,
} from '../../../application/ports/imported-contacts.port.js';
import { folded, FoldedRows } from '../../../domain/imports/imported-contact.js';
import { ContactCopy, CopiedContact } from './contact-copy.js';
import { changes, creation, given, lock, memberships, subscriptions } from './import-statements.js';

@Injectable()
export class PostgresImportedContacts extends ImportedContacts {
  constructor(private readonly clock: Clock) {
    super();
  }

  async prepare(batch: ImportBatch): Promise<PreparedContacts> {
    const rows = folded(batch.rows, batch.onConflict);
    return new PreparedBatch(rows, batch, await ContactCopy.of(rows.contacts, batch), this.clock);
  }
}

interface KnownContact extends CopiedContact {
  /** It would have more values than it may, and stayed as it is. */
  readonly isTooLarge: boolean;
}

class PreparedBatch extends PreparedContacts {
  constructor(
    private readonly rows: FoldedRows,
    private readonly batch: ImportBatch,
    private readonly copy: ContactCopy,
    private readonly clock: Clock,
  ) {
    super();
  }

  async write(transaction: Transaction): Promise<WrittenRows> {
    const { rows, batch } = this;
    const { contacts } = rows;
    if (contacts.length === 0) return { created: 0, updated: 0, skipped: 0, refused: [] };
    const statements = statementsOf(transaction);
    const created = await this.create(statements);
    const isUpsert = batch.onConflict === 'upsert';
    const known = isUpsert && created.length < contacts.length ? await this.change(created, statements) : [];
    await this.join([...created, ...known.filter(({ isTooLarge }) => !isTooLarge)], statements);
    const refused = this.refused(known);
    const again = batch.rows.length - created.length - refused.length;
    return { created: created.length, updated: isUpsert ? again : 0, skipped: isUpsert ? 0 : again, refused };
  }

  private refused(known: readonly KnownContact[]): readonly number[] {
    const emails = new Set(known.filter(({ isTooLarge }) => isTooLarge).map(({ email }) => email));
    if (emails.size === 0) return this.rows.refused;
    const all = new Set(this.rows.refused);
    this.batch.rows.forEach(({ email }, no) => emails.has(email) && all.add(no));
    return [...all];
  }

  private async create(statements: DatabaseTransaction): Promise<readonly CopiedContact[]> {
    const { rows, batch } = this;
    const copied = await this.copy.write(statements);
    return copied ?? (await statements.query<Row>(creation(given(rows.contacts, batch.now), batch)));
  }

  private async change(
    created: readonly CopiedContact[],
    statements: DatabaseTransaction,
  ): Promise<readonly KnownContact[]> {
    const { batch } = this;
    const isNew = new Set(created.map(({ email }) => email));
    const known = this.rows.contacts.filter(({ email }) => !isNew.has(email));
    await statements.execute(
      lock(
        known.map(({ email }) => email),
        batch,
      ),
    );
    const now = this.clock.now();
    return statements.query<Row & KnownContact>(changes(given(known, now), { ...batch, now }));
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
