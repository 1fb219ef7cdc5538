import { Principal } from '#identity';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail, envelopeOf } from '../../domain/accepted-email.js';
import { composedEmail } from '../../domain/composed-email.js';
import { parseDraft, SendRequest } from '../../domain/draft.js';
import { refuseFakeRecipients } from '../../domain/fake-recipients.js';
import { AttachmentFetches } from '../attachment-fetches.js';
import { LinkedAttachments } from '../linked-attachments.js';
import { AuthorizeSender } from './authorize-sender.js';
import { KnownTopics } from './known-topics.js';
import { TemplatedDrafts } from './templated-drafts.js';

/** Step of acceptance: makes an email of a send request, with all of its content. Stores nothing. */
@Injectable()
export class ComposeEmail {
  constructor(
    private readonly authorizeSender: AuthorizeSender,
    private readonly linkedAttachments: LinkedAttachments,
    private readonly templatedDrafts: TemplatedDrafts,
    private readonly topics: KnownTopics,
    private readonly clock: Clock,
  ) {}

  /**
   * Content that is fetched stays in memory until `fetches` ends. Linked attachments are fetched last, because they
   * cost the most.
   */
  async execute(principal: Principal, request: SendRequest, fetches: AttachmentFetches): Promise<AcceptedEmail> {
    const now = this.clock.now();
    const { template } = request;
    const templated =
      template === undefined ? undefined : await this.templatedDrafts.draft(principal.teamId, request, template, now);
    const draft = templated ?? parseDraft(request, now);
    const sender = await this.authorizeSender.authorize(principal, draft.from);
    const recipients = envelopeOf(draft.to, draft.cc, draft.bcc);
    const { topicId } = draft;
    if (topicId !== null) await this.topics.require(principal.teamId, topicId, recipients[0]?.address ?? '');
    refuseFakeRecipients(recipients.map(({ address }) => address));
    const complete = await this.linkedAttachments.complete(draft, fetches);
    const email = composedEmail(sender, complete, recipients, now);
    return templated === undefined ? email : this.templatedDrafts.withContent(email, templated);
  }
}
