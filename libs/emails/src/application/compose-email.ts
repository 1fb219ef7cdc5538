import { SendingDomains, sendingRegion } from '#domains';
import { Principal } from '#identity';
import type { Actor } from '#identity';
import { Clock, isPromise, Mailbox, newId, whenKnown } from '#kernel';
import type { MaybePromise } from '#kernel';
import { Injectable } from '@nestjs/common';
import type { MergeFields } from '#audience';
import { AcceptedEmail, envelopeOf, envelopeOfAddresses, Sender } from '../domain/accepted-email.js';
import { SenderNotAllowedError } from '../domain/email-errors.js';
import { depthField, MailDepth } from '../domain/mail-depth.js';
import { composedEmail, parseDraft, SendRequest } from '../domain/draft.js';
import { refuseFakeRecipients } from '../domain/withheld-recipient.js';
import { acceptedRawEmail, checkRawRequest, RawSendRequest } from '../domain/raw-email.js';
import { ExpandTemplate, TemplatedDraft } from './expand-template.js';
import { AttachmentFetches, LinkedAttachments } from './linked-attachments.js';
import { MimeSpool } from './mime-spool.js';
import { RecipientScreening } from './recipient-screening.js';

/** Checks whether a principal may send, and from which domain. */
@Injectable()
export class AuthorizeSender {
  constructor(
    private readonly domains: SendingDomains,
    private readonly depth: MailDepth,
  ) {}

  /** Returns the sender with the verified domain of the address. Throws if the domain or the permission is missing. */
  authorize(principal: Principal, from: Mailbox): MaybePromise<Sender> {
    principal.require('emails:send');
    return whenKnown(this.senderOf(principal, from), (sender) => {
      if (!principal.isForDomain(sender.domainId)) throw new SenderNotAllowedError();
      return sender;
    });
  }

  /** The sender of mail whose principal was authorized when it was started. Throws if the domain may not send any more. */
  senderOf({ teamId, actor }: { readonly teamId: string; readonly actor: Actor }, from: Mailbox): MaybePromise<Sender> {
    return whenKnown(this.domains.require(teamId, from.domain), (domain) => ({
      teamId,
      actor,
      domainId: domain.id,
      region: sendingRegion(domain),
    }));
  }

  /** The header fields with the next depth of automatic mail. Throws if programs have answered each other too often. */
  countedDepth(headers: Parameters<MailDepth['counted']>[0]): ReturnType<MailDepth['counted']> {
    return this.depth.counted(headers);
  }
}

/** Makes emails of requests, with all of their content. Writes no rows. */
@Injectable()
export class ComposeEmail {
  constructor(
    private readonly sender: AuthorizeSender,
    private readonly templates: ExpandTemplate,
    private readonly screening: RecipientScreening,
    private readonly attachments: LinkedAttachments,
    private readonly spool: MimeSpool,
    private readonly clock: Clock,
  ) {}

  /** Runs `work` with the fetches of one request. They hold the memory of fetched files until `work` has ended. */
  fetching<Result>(teamId: string, work: (fetches: AttachmentFetches) => Promise<Result>): Promise<Result> {
    return this.attachments.during(teamId, work);
  }

  /** The email of a send request. Fetches linked attachments last, because they cost the most. */
  async compose(principal: Principal, request: SendRequest, fetches: AttachmentFetches): Promise<AcceptedEmail> {
    const { email, templated } = await this.composed(principal, request, fetches);
    return templated === undefined ? email : this.templates.withContent(email, templated);
  }

  /**
   * The same, with the content of a template as its own: nothing is stored.
   *
   * @param contact whose values it has instead of those of the contact to whom it is addressed
   */
  async rehearsed(
    principal: Principal,
    request: SendRequest,
    fetches: AttachmentFetches,
    contact?: MergeFields,
  ): Promise<AcceptedEmail> {
    const { email, templated } = await this.composed(principal, request, fetches, contact);
    if (templated === undefined) return email;
    const { templateId, values, content } = templated;
    return {
      ...email,
      email: { ...email.email, templateId, mergeValues: values },
      body: { html: content.html ?? null, text: content.text ?? null },
    };
  }

  private async composed(
    principal: Principal,
    request: SendRequest,
    fetches: AttachmentFetches,
    contact?: MergeFields,
  ): Promise<{ readonly email: AcceptedEmail; readonly templated: TemplatedDraft | undefined }> {
    const now = this.clock.now();
    const { template } = request;
    const templated =
      template === undefined
        ? undefined
        : await this.templates.draft(principal.teamId, request, template, now, contact);
    const draft = templated ?? parseDraft(request, now);
    const authorized = this.sender.authorize(principal, draft.from);
    const sender = isPromise(authorized) ? await authorized : authorized;
    const recipients = envelopeOf(draft.to, draft.cc, draft.bcc);
    principal.requireRecipients(recipients.map(({ address }) => address));
    const { topicId } = draft;
    if (topicId !== null) {
      await this.screening.requireTopic(principal.teamId, topicId, recipients[0]?.address ?? '');
    }
    refuseFakeRecipients(recipients.map(({ address }) => address));
    const headers = this.sender.countedDepth(draft.headers);
    const counted = headers === draft.headers ? draft : { ...draft, headers };
    const completed = this.attachments.complete(counted, fetches);
    const complete = isPromise(completed) ? await completed : completed;
    return { email: composedEmail(sender, complete, recipients, now), templated };
  }

  /** The email of a finished MIME message. Reads the content last. */
  async finished(principal: Principal, request: RawSendRequest): Promise<AcceptedEmail> {
    const now = this.clock.now();
    const checked = checkRawRequest(request, now);
    const sender = await this.sender.authorize(principal, checked.from);
    principal.requireRecipients(request.recipients);
    refuseFakeRecipients(request.recipients);
    const id = newId(now.getTime());
    const headers = request.depth === undefined ? null : this.sender.countedDepth({ [depthField]: request.depth });
    const mime = await this.spool.take(id, request.content);
    const email = acceptedRawEmail(id, sender, checked, envelopeOfAddresses(request.recipients), mime, now);
    return headers === null ? email : { ...email, email: { ...email.email, headers } };
  }
}
