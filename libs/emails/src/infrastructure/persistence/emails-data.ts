import { UnitOfWork } from '#kernel';
import { boundsOf, Database, statementsOf } from '#platform/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders, RecipientKey } from '#platform/privacy';
import { Injectable } from '@nestjs/common';
import { EmailContents } from '../../application/ports/email-contents.port.js';
import { EmailRepository } from '../../application/ports/email-repository.port.js';
import { MessageStore } from '../../application/ports/message-store.port.js';
import { Email } from '../../domain/email.js';
import { redactionStatements } from './redaction-statements.js';
import { storedIdsOf } from './stored-content.js';

const portionEmails = 500;
/** Emails of an export that are read at the same time. */
const exportedTogether = 10;
const maxEvents = 1_000;
const first = '00000000-0000-0000-0000-000000000000';

interface FoundRecipient extends RecipientKey {
  /** Whether the email has recipients with other addresses. */
  readonly hasOthers: boolean;
  /** Whether a recipient of the email is still to be delivered. */
  readonly isUnderWay: boolean;
}

/** The emails to an address. They are not indexed by address, so all emails of the team are read, portion by portion. */
@Injectable()
export class EmailsData extends PersonalData {
  readonly name = 'emails';

  constructor(
    private readonly holders: PersonalDataHolders,
    private readonly database: Database,
    private readonly work: UnitOfWork,
    private readonly emails: EmailRepository,
    private readonly contents: EmailContents,
    private readonly store: MessageStore,
  ) {
    super(holders);
  }

  async *records({ teamId, address }: DataSubject): AsyncGenerator<object> {
    for (let after: string | undefined = first; after !== undefined;) {
      const portion: { last: string | undefined; found: FoundRecipient[] } = await this.portion(teamId, address, after);
      for (let at = 0; at < portion.found.length; at += exportedTogether) {
        const together = portion.found.slice(at, at + exportedTogether);
        const beside = await Promise.all(this.holders.ofRecipients.map((holder) => holder.records(together)));
        for (const key of together) {
          const lists = this.holders.ofRecipients.map(({ name }, index) => [
            name,
            (beside[index] ?? []).filter((one) => isSame(one, key)).map(({ record }) => record),
          ]);
          const record = await this.record(teamId, key.emailId);
          if (record !== undefined) yield { ...record, ...Object.fromEntries(lists) };
        }
      }
      after = portion.last;
    }
  }

  async erase({ teamId, address }: DataSubject, after = first): Promise<ErasedPortion> {
    const { found, last } = await this.portion(teamId, address, after);
    // The header of mail that is still to be sent names all of its recipients.
    const settled = found.filter(({ isUnderWay }) => !isUnderWay);
    if (settled.length > 0) await this.eraseAll(teamId, address, settled);
    return { erased: settled.length, next: last, isWaiting: settled.length < found.length };
  }

  private async eraseAll(teamId: string, address: string, found: readonly FoundRecipient[]): Promise<void> {
    const alone = found.filter(({ hasOthers }) => !hasOthers).map(({ emailId }) => emailId);
    const emails = await Promise.all(alone.map((id) => this.emails.find(id, teamId)));
    const own = emails.filter((email): email is Email => email !== undefined && email.contentId === null);
    // First, because the email can no longer be found by the address once its rows are changed.
    if (own.length > 0) await this.store.remove(storedIdsOf(own));
    await this.work.run(async (transaction) => {
      const bounds = boundsOf(found.map(({ emailId }) => emailId));
      for (const statement of redactionStatements(found, alone, address, bounds)) {
        await statementsOf(transaction).execute(statement);
      }
      for (const holder of this.holders.ofRecipients) await holder.erase(found, transaction);
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

  private async portion(
    teamId: string,
    address: string,
    after: string,
  ): Promise<{ last: string | undefined; found: FoundRecipient[] }> {
    const [row] = await this.database.query<{ last: string | null; read: number; found: FoundRecipient[] | null }>({
      text: `WITH portion AS MATERIALIZED (
               SELECT id FROM emails WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT ${portionEmails}
             )
             SELECT (SELECT p.id FROM portion p ORDER BY p.id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM portion) AS read,
                    (SELECT json_agg(json_build_object('emailId', p.id, 'recipientNo', r.no, 'hasOthers', o.has_others,
                                                       'isUnderWay', o.is_under_way) ORDER BY p.id, r.no)
                     FROM portion p
                     JOIN LATERAL (SELECT no FROM recipients WHERE email_id = p.id AND lower(address) = $3 OFFSET 0) r ON true
                     JOIN LATERAL (SELECT bool_or(lower(address) <> $3) AS has_others,
                                          bool_or(status IN ('scheduled', 'queued', 'delayed')) AS is_under_way
                                   FROM recipients WHERE email_id = p.id) o ON true) AS found`,
      values: [teamId, after, address],
    });
    if (row === undefined) return { last: undefined, found: [] };
    return { last: row.read < portionEmails ? undefined : (row.last ?? undefined), found: row.found ?? [] };
  }
}

function isSame(one: RecipientKey, other: RecipientKey): boolean {
  return one.emailId === other.emailId && one.recipientNo === other.recipientNo;
}
