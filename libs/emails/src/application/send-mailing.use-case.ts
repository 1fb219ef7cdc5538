import { Clock, LastStatements, timeOfId, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail, Sender } from '../domain/accepted-email.js';
import { CompiledMailing, Mailing, MailingRecipient } from '../domain/mailing.js';
import { StoredContent } from '../domain/shared-content.js';
import { AcceptEmails } from './accept-emails.use-case.js';
import { AuthorizeSender } from './compose-email.js';
import { RoomForMail } from './ports/message-store.port.js';
import { RecipientScreening, screened } from './recipient-screening.js';
import { SharedContents } from './shared-contents.js';

/**
 * A mailing that may be accepted now: its sender is authorized, and its content is stored for the emails of the next
 * minute.
 */
export interface PreparedMailing {
  readonly mailing: CompiledMailing;
  readonly sender: Sender;
  /** By day of the email's id. */
  readonly contents: ReadonlyMap<string, StoredContent>;
}

/**
 * What becomes of one recipient of a slice. `suppressed`: the email is accepted and goes nowhere, as a single one
 * would, with the same event. `invalid`: no email can be made of its address and values.
 */
export type MailingResult =
  { readonly emailId: string; readonly withheld?: 'suppressed' } | { readonly withheld: 'invalid' };

export interface AcceptedSlice {
  readonly results: readonly MailingResult[];
  /** Write the emails. Resolve with what is to be called after the commit, which wakes the workers. */
  readonly last: LastStatements<() => void>;
}

/** Ids run ahead of the clock where many are made in one millisecond, so that the content of the next day may be needed. */
const idsAheadMs = 60_000;

/**
 * Sends one content to any number of recipients, slice by slice, each in a transaction of the caller: what the caller
 * writes down about a slice is durable if and only if its emails are.
 */
@Injectable()
export class SendMailing {
  constructor(
    private readonly authorizeSender: AuthorizeSender,
    private readonly contents: SharedContents,
    private readonly screening: RecipientScreening,
    private readonly acceptEmails: AcceptEmails,
    private readonly room: RoomForMail,
    private readonly clock: Clock,
  ) {}

  /** Whether other mail is accepted beside the slices. Then they leave it time. */
  get isOtherMailComing(): boolean {
    return this.acceptEmails.isInDemand;
  }

  /** Checks and compiles the shared parts. Throws what makes the content unfit for everybody. */
  compile(mailing: Mailing): CompiledMailing {
    return new CompiledMailing(mailing, this.clock.now());
  }

  /**
   * To be called shortly before each slice, outside of its transaction; only the first call of a day writes. Throws if
   * there is no room for mail, or the domain may not send any more.
   */
  async prepare(mailing: Mailing, compiled: CompiledMailing): Promise<PreparedMailing> {
    this.room.check();
    const sender = await this.authorizeSender.senderOf(mailing, compiled.from);
    const now = this.clock.now();
    const contents = new Map<string, StoredContent>();
    for (const at of [now, new Date(now.getTime() + idsAheadMs)]) {
      const day = dayOf(at);
      if (!contents.has(day)) contents.set(day, await this.contents.store(mailing.teamId, mailing.content, at));
    }
    return { mailing: compiled, sender, contents };
  }

  /**
   * Accepts a slice in a transaction of the caller, who has asked there who wants the mail. Emails to suppressed
   * addresses are written as such. Returns what became of each recipient, in their order, and the last statements of
   * the transaction, which throw the errors of an exceeded quota.
   *
   * @param now the time that the emails show: after `prepare`, and before the caller read what their recipients want
   */
  async accept(
    prepared: PreparedMailing,
    recipients: readonly MailingRecipient[],
    now: Date,
    transaction: Transaction,
  ): Promise<AcceptedSlice> {
    const { teamId } = prepared.sender;
    const verdict = await this.screening.verdicts(
      recipients.map(({ to }) => ({ teamId, address: to, topicId: null })),
      transaction,
    );
    const emails: AcceptedEmail[] = [];
    const results = recipients.map((recipient): MailingResult => {
      const accepted = this.emailOf(prepared, recipient, now);
      if (accepted === undefined) return { withheld: 'invalid' };
      const email = screened(accepted, verdict);
      emails.push(email);
      const emailId = email.email.id;
      return email === accepted ? { emailId } : { emailId, withheld: 'suppressed' };
    });
    return { results, last: await this.acceptEmails.write(emails, transaction) };
  }

  private emailOf(
    { mailing, sender, contents }: PreparedMailing,
    recipient: MailingRecipient,
    now: Date,
  ): AcceptedEmail | undefined {
    const content = contents.get(dayOf(now)) as StoredContent;
    const accepted = mailing.email(sender, recipient, content, now);
    if (accepted === undefined || contents.size === 1) return accepted;
    const { id, attachments } = contents.get(dayOf(timeOfId(accepted.email.id))) as StoredContent;
    return { ...accepted, email: { ...accepted.email, contentId: id, attachments } };
  }
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
