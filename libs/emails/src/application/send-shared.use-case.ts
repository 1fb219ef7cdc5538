import { IdempotentRequest } from '#idempotency';
import { Principal } from '#identity';
import { Clock, idsOfDay, timeOfId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail } from '../domain/accepted-email.js';
import { SharedContent, StoredContent } from '../domain/shared-content.js';
import { parseSharedRequest, personalEmails, SharedSendRequest } from '../domain/shared-send-request.js';
import { AcceptEmails, Prepared } from './accept-emails.use-case.js';
import { AuthorizeSender } from './compose-email.js';
import { SharedContents } from './shared-contents.js';

/**
 * Sends shared content to many recipients, with one email and own merge values for each. The content is stored once a
 * day, for any number of calls. Callers pass the same object each time.
 */
@Injectable()
export class SendShared {
  constructor(
    private readonly authorizeSender: AuthorizeSender,
    private readonly contents: SharedContents,
    private readonly acceptEmails: AcceptEmails,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves with the ids of the emails, in the order of the recipients, once all are durable. Either all are accepted
   * or none.
   */
  send(
    principal: Principal,
    request: SharedSendRequest,
    idempotent?: IdempotentRequest,
  ): Promise<{ readonly ids: readonly string[] }> {
    return this.acceptEmails.accept(principal, idempotent, () => this.prepare(principal, request));
  }

  private async prepare(
    principal: Principal,
    request: SharedSendRequest,
  ): Promise<Prepared<{ readonly ids: readonly string[] }>> {
    const now = this.clock.now();
    const drafts = parseSharedRequest(request, now);
    const sender = await this.authorizeSender.authorize(principal, (drafts[0] as (typeof drafts)[number]).from);
    const emails = await this.withContent(
      request.content,
      personalEmails(sender, drafts, request.isBulk === true, now),
    );
    return { emails, response: { ids: emails.map(({ email }) => email.id) } };
  }

  /**
   * An id may be of a later time than the call, even of the next day. So the content is stored under the day of each
   * id.
   */
  private async withContent(
    content: SharedContent,
    emails: readonly AcceptedEmail[],
  ): Promise<readonly AcceptedEmail[]> {
    const stored = new Map<string, StoredContent>();
    for (const { email } of emails) {
      const day = dayOf(email.id);
      if (!stored.has(day)) stored.set(day, await this.contents.store(email.teamId, content, timeOfId(email.id)));
    }
    return emails.map((accepted) => {
      const { id, attachments } = stored.get(dayOf(accepted.email.id)) as StoredContent;
      return { ...accepted, email: { ...accepted.email, contentId: id, attachments } };
    });
  }
}

function dayOf(id: string): string {
  return idsOfDay(timeOfId(id))[0];
}
