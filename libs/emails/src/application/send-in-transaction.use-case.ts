import { Principal } from '#identity';
import type { Actor } from '#identity';
import { LastStatements, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail } from '../domain/accepted-email.js';
import { SendRequest } from '../domain/draft.js';
import { depthField, MailDepth } from '../domain/mail-depth.js';
import { AcceptEmails } from './accept-emails.use-case.js';
import { ComposeEmail } from './compose-email.js';
import { RoomForMail } from './ports/message-store.port.js';
import { RecipientScreening } from './recipient-screening.js';

/**
 * Sends single emails in a transaction of the caller: what the caller writes down about an email is durable if and only
 * if the email is. For features that send by themselves, such as automations.
 */
@Injectable()
export class SendInTransaction {
  constructor(
    private readonly composing: ComposeEmail,
    private readonly screening: RecipientScreening,
    private readonly acceptEmails: AcceptEmails,
    private readonly room: RoomForMail,
    private readonly depth: MailDepth,
  ) {}

  /** Whether other mail is accepted in this process. Then callers with much mail leave it time. */
  get isOtherMailComing(): boolean {
    return this.acceptEmails.isInDemand;
  }

  /**
   * Makes the email of a request, with its id, in the name of an actor who was allowed to send when it was set up.
   * Throws what `POST /emails` refuses. Writes no rows of the email: only its content, if the store of contents cannot
   * join a transaction.
   *
   * @param depth for mail of a program: how many programs have answered each other until what it follows from
   */
  async compose(teamId: string, actor: Actor, given: SendRequest, depth?: number): Promise<AcceptedEmail> {
    this.room.check();
    const request =
      depth === undefined
        ? given
        : { ...given, headers: { ...given.headers, [depthField]: this.depth.valueOf(depth) } };
    const accepted = await this.composing.fetching(teamId, (fetches) =>
      this.composing.compose(Principal.ofService(teamId), request, fetches),
    );
    const email = { ...accepted, email: { ...accepted.email, actor } };
    await this.acceptEmails.storeAhead([email]);
    return email;
  }

  /**
   * Returns the last statements of the transaction, which write the emails. They throw the errors of an exceeded quota,
   * and resolve with what is to be called after the commit.
   */
  async accept(emails: readonly AcceptedEmail[], transaction: Transaction): Promise<LastStatements<() => void>> {
    if (emails.length === 0) return { send: async () => () => undefined };
    return this.acceptEmails.write(await this.screening.screen(emails, transaction), transaction);
  }
}
