import { Clock, domainOf, formatMailbox, Mailbox, newId, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Caller } from '#identity';
import { AcceptedEmail, envelopeOf, envelopeOfAddresses, isFakeRecipient } from '../domain/accepted-email.js';
import { Domain, SendingDomains } from '#domains';
import { Draft, parseDraft, SendRequest } from '../domain/draft.js';
import { Attachment } from '../domain/email.js';
import { SenderNotAllowedError } from '../domain/email-errors.js';
import { acceptedRawEmail, checkRawRequest, RawSendRequest } from '../domain/raw-email.js';
import { EmailAcceptance } from './ports/email-acceptance.port.js';
import { MimeSpool } from './ports/mime-spool.port.js';

/** The one way in: whatever sends mail, through whichever door, is accepted here. */
@Injectable()
export class SendEmail {
  constructor(
    private readonly domains: SendingDomains,
    private readonly acceptance: EmailAcceptance,
    private readonly spool: MimeSpool,
    private readonly clock: Clock,
  ) {}

  /** Resolves with the email's id once the email is durable; a refusal changes nothing. */
  async execute(caller: Caller, request: SendRequest): Promise<{ readonly id: string }> {
    const accepted = await this.prepare(caller, request);
    await this.acceptance.accept([accepted]);
    return { id: accepted.email.id };
  }

  /**
   * Sends a finished MIME message to the recipients of its envelope, whoever its header names. The content is read only
   * once everything else has been found right, and whatever is wrong with it while it is read is thrown from here.
   */
  async executeRaw(caller: Caller, request: RawSendRequest): Promise<{ readonly id: string }> {
    const now = this.clock.now();
    const checked = checkRawRequest(request, now);
    const domain = await this.senderDomain(caller, checked.from);
    const recipients = envelopeOfAddresses(request.recipients);
    refuseFakeRecipients(request.recipients);
    const id = newId(now.getTime());
    const mime = await this.spool.take(id, request.content);
    try {
      const sender = { ...caller, domainId: domain.id };
      await this.acceptance.accept([acceptedRawEmail(id, sender, checked, recipients, mime, now)]);
    } finally {
      this.spool.release(mime);
    }
    return { id };
  }

  private async senderDomain(caller: Caller, from: Mailbox): Promise<Domain> {
    const domain = await this.domains.require(caller.teamId, from.domain);
    if (caller.domainId !== null && caller.domainId !== domain.id) throw new SenderNotAllowedError();
    return domain;
  }

  private async prepare(caller: Caller, request: SendRequest): Promise<AcceptedEmail> {
    const now = this.clock.now();
    const draft = parseDraft(request, now);
    const domain = await this.senderDomain(caller, draft.from);
    const recipients = envelopeOf(draft.to, draft.cc, draft.bcc);
    refuseFakeRecipients(recipients.map((recipient) => recipient.address));
    return this.accepted(caller, draft, domain.id, recipients, now);
  }

  private accepted(
    caller: Caller,
    draft: Draft,
    domainId: string,
    recipients: AcceptedEmail['recipients'],
    now: Date,
  ): AcceptedEmail {
    const id = newId(now.getTime());
    const attachmentContents = draft.attachments.map(({ content, filename, contentType, contentId }) => ({
      attachment: {
        id: newId(now.getTime()),
        filename: filename ?? null,
        contentType,
        contentId: contentId ?? null,
        size: content.length,
      } satisfies Attachment,
      content,
    }));
    return {
      email: {
        id,
        teamId: caller.teamId,
        domainId,
        apiKeyId: caller.apiKeyId,
        messageId: messageIdOf(draft, id),
        from: formatMailbox(draft.from),
        to: draft.to.map(formatMailbox),
        cc: mailboxesOrNull(draft.cc),
        bcc: mailboxesOrNull(draft.bcc),
        replyTo: mailboxesOrNull(draft.replyTo),
        subject: draft.subject,
        headers: draft.headers,
        tags: draft.tags,
        attachments: attachmentContents.length === 0 ? null : attachmentContents.map(({ attachment }) => attachment),
        topicId: null,
        scheduledAt: draft.scheduledAt,
        lastEvent: draft.scheduledAt === null ? 'sent' : 'scheduled',
        createdAt: now,
        size: draft.size,
      },
      body: { html: draft.html, text: draft.text },
      recipients,
      attachmentContents,
    };
  }
}

function refuseFakeRecipients(addresses: readonly string[]): void {
  const fake = addresses.find(isFakeRecipient);
  if (fake === undefined) return;
  throw new ValidationError(
    `Mail to ${domainOf(fake)} cannot be delivered. Use a testing address such as delivered@resend.dev instead.`,
  );
}

/** The sender's own Message-ID where the headers give a usable one. */
function messageIdOf(draft: Draft, id: string): string {
  const [, given] = Object.entries(draft.headers ?? {}).find(([name]) => name.toLowerCase() === 'message-id') ?? [];
  return given !== undefined && /^<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>$/.test(given)
    ? given
    : `<${id}@${draft.from.domain}>`;
}

function mailboxesOrNull(mailboxes: readonly Mailbox[]): string[] | null {
  return mailboxes.length === 0 ? null : mailboxes.map(formatMailbox);
}
