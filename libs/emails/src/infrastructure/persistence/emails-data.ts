import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel';
import { boundsOf, Database, Partition, statementsOf } from '#postgres/database';
import {
  type AddressSpellings,
  type DataSubject,
  type ErasedPortion,
  PersonalData,
  PersonalDataHolders,
  type RecipientKey,
} from '#postgres/privacy';
import { Purge, Purges } from '#postgres/retention';
import { EmailContents } from '../../application/ports/email-contents.port.js';
import { EmailRepository } from '../../application/ports/email-repository.port.js';
import { MessageStore } from '../../application/ports/message-store.port.js';
import { storedIdsOf } from '../../application/stored-content.js';
import { WithdrawRecipients } from '../../application/withdraw-recipients.js';
import { Email } from '../../domain/email.js';
import { FoundEmail, namingStatement, redactionStatements } from './redaction-statements.js';
import { eraseFromHeader } from './stored-header.js';

const portionEmails = 500;
/** Emails of an export that are read at the same time. */
const exportedTogether = 10;
const maxEvents = 1_000;
const first = '00000000-0000-0000-0000-000000000000';

interface FoundEmails {
  /** Undefined at the end. */
  readonly last: string | undefined;
  readonly found: readonly FoundEmail[];
}

/**
 * The emails to an address, or that name it. They are not indexed by address, so all emails of the team are read,
 * portion by portion.
 */
@Injectable()
export class EmailsData extends PersonalData {
  readonly name = 'emails';

  // oxlint-disable-next-line max-params -- the rows, the contents, mail that waits and what others hold of an email
  constructor(
    private readonly holders: PersonalDataHolders,
    private readonly database: Database,
    private readonly work: UnitOfWork,
    private readonly emails: EmailRepository,
    private readonly contents: EmailContents,
    private readonly store: MessageStore,
    private readonly withdrawal: WithdrawRecipients,
  ) {
    super(holders);
  }

  async *records({ teamId, spellings }: DataSubject): AsyncGenerator<object> {
    for (let after: string | undefined = first; after !== undefined;) {
      const { found, last }: FoundEmails = await this.portion(teamId, spellings, after);
      for (let at = 0; at < found.length; at += exportedTogether) {
        const together = found.slice(at, at + exportedTogether);
        const keys = together.flatMap(recipientsOf);
        const beside = await Promise.all(this.holders.ofRecipients.map((holder) => holder.records(keys)));
        for (const { emailId } of together) {
          const lists = this.holders.ofRecipients.map(({ name }, index) => [
            name,
            (beside[index] ?? []).filter((one) => one.emailId === emailId).map(({ record }) => record),
          ]);
          const record = await this.record(teamId, emailId);
          if (record !== undefined) yield { ...record, ...Object.fromEntries(lists) };
        }
      }
      after = last;
    }
  }

  async erase({ teamId, spellings }: DataSubject, after = first): Promise<ErasedPortion> {
    const { found, last } = await this.withoutWaiting(teamId, spellings, after);
    // The header of mail that is still to be sent names all of its recipients.
    const settled = found.filter(({ isUnderWay }) => !isUnderWay);
    if (settled.length > 0) await this.eraseAll(teamId, spellings, settled);
    return { erased: settled.length, next: last, isWaiting: settled.length < found.length };
  }

  /** Nothing that waits is sent to the address any more. */
  private async withoutWaiting(teamId: string, spellings: AddressSpellings, after: string): Promise<FoundEmails> {
    const portion = await this.portion(teamId, spellings, after);
    const waiting = portion.found.filter(({ isScheduled, isQueued }) => isScheduled || isQueued);
    if (waiting.length === 0) return portion;
    await this.withdrawal.withdraw(teamId, waiting);
    return this.portion(teamId, spellings, after);
  }

  private async eraseAll(teamId: string, spellings: AddressSpellings, found: readonly FoundEmail[]): Promise<void> {
    const alone = found.filter(({ hasOthers }) => !hasOthers).map(({ emailId }) => emailId);
    const emails = await Promise.all(found.map(({ emailId }) => this.emails.find(emailId, teamId)));
    const own = emails.filter((email): email is Email => email !== undefined && email.contentId === null);
    // First, because the email can no longer be found by the address once its rows are changed.
    await this.store.remove(storedIdsOf(own.filter(({ id }) => alone.includes(id))));
    for (const { id } of own) if (!alone.includes(id)) await eraseFromHeader(this.store, id, spellings);
    await this.work.run(async (transaction) => {
      const recipients = found.flatMap(recipientsOf);
      const bounds = boundsOf(found.map(({ emailId }) => emailId));
      for (const statement of redactionStatements(found, alone, spellings, bounds)) {
        await statementsOf(transaction).execute(statement);
      }
      if (recipients.length === 0) return;
      for (const holder of this.holders.ofRecipients) await holder.erase(recipients, transaction);
    });
  }

  private async record(teamId: string, id: string): Promise<object | undefined> {
    const email = await this.emails.find(id, teamId);
    if (email === undefined) return undefined;
    const [events, body] = await Promise.all([
      this.emails.events(teamId, id, 0, maxEvents),
      this.contents.bodyOf(email, teamId),
    ]);
    const { html, text } = body;
    body.release();
    return {
      id,
      message_id: email.messageId,
      from: email.from,
      to: email.to,
      cc: email.cc,
      bcc: email.bcc,
      reply_to: email.replyTo,
      subject: email.subject,
      headers: email.headers,
      tags: email.tags,
      attachments: (email.attachments ?? []).map(({ filename, contentType, size }) => ({
        filename,
        content_type: contentType,
        size,
      })),
      created_at: email.createdAt,
      scheduled_at: email.scheduledAt,
      last_event: email.lastEvent,
      // Larger bodies are read one by one: `GET /emails/{id}`.
      html: typeof html === 'string' ? html : null,
      text: typeof text === 'string' ? text : null,
      events: events.map(({ type, recipient, data, createdAt }) => ({ type, recipient, data, created_at: createdAt })),
    };
  }

  private async portion(teamId: string, spellings: AddressSpellings, after: string): Promise<FoundEmails> {
    const statement = namingStatement(teamId, spellings, after, portionEmails);
    const [row] = await this.database.query<{ last: string | null; read: number; found: FoundEmail[] | null }>(
      statement,
    );
    if (row === undefined) return { last: undefined, found: [] };
    return { last: row.read < portionEmails ? undefined : (row.last ?? undefined), found: row.found ?? [] };
  }
}

function recipientsOf({ emailId, recipientNos }: FoundEmail): RecipientKey[] {
  return recipientNos.map((recipientNo) => ({ emailId, recipientNo }));
}

/** The last table of this lib that is dropped for a day. While it exists, the purge of the day is not finished. */
const lastTable = 'recipients';

/** Removes the bytes of a day that are stored outside the database, when the day's last table is dropped. */
@Injectable()
export class EmailsPurge extends Purge {
  constructor(
    purges: Purges,
    private readonly store: MessageStore,
  ) {
    super(purges);
  }

  override async beforeDrop({ table, day }: Partition): Promise<void> {
    if (table === lastTable) await this.store.removeDay(day);
  }
}
