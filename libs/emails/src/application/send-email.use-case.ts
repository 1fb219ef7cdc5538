import { Clock, DomainError, domainOf, formatMailbox, Mailbox, newId, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Domain, SendingDomains } from '#domains';
import { IdempotencyKeys, IdempotentRequest, replay } from '#idempotency';
import { Principal } from '#identity';
import {
  AcceptedEmail,
  envelopeOf,
  envelopeOfAddresses,
  isFakeRecipient,
  SpooledMime,
} from '../domain/accepted-email.js';
import { Batch, BatchAnswer, BatchFault, BatchItem, checkBatch } from '../domain/batch.js';
import { CompleteDraft, Draft, parseDraft, SendRequest } from '../domain/draft.js';
import { Attachment } from '../domain/email.js';
import { SenderNotAllowedError } from '../domain/email-errors.js';
import { AttachmentFetches } from './attachment-fetches.js';
import { idempotentRawRequest } from './idempotent-raw-request.js';
import { LinkedAttachments } from './linked-attachments.js';
import { acceptedRawEmail, checkRawRequest, RawSendRequest } from '../domain/raw-email.js';
import { EmailAcceptance } from './ports/email-acceptance.port.js';
import { MimeSpool } from './ports/mime-spool.port.js';
import { RoomForMail } from './ports/room-for-mail.port.js';

/** Emails ready to be accepted, and the answer that tells of them. */
interface Prepared<Answer> {
  readonly emails: readonly AcceptedEmail[];
  readonly answer: Answer;
}

/** The one way in: whatever sends mail, through whichever door, is accepted here. */
@Injectable()
export class SendEmail {
  constructor(
    private readonly domains: SendingDomains,
    private readonly linkedAttachments: LinkedAttachments,
    private readonly acceptance: EmailAcceptance,
    private readonly spool: MimeSpool,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly room: RoomForMail,
    private readonly clock: Clock,
  ) {}

  /** Resolves with the email's id once the email is durable; a refusal changes nothing. */
  execute(
    principal: Principal,
    request: SendRequest,
    idempotent?: IdempotentRequest,
  ): Promise<{ readonly id: string }> {
    return this.fetching(principal, (fetches) =>
      this.once(idempotent, () => this.prepareOne(principal, request, fetches)),
    );
  }

  /** What the service itself has to tell: accepted even where there is no room for mail, which may be what it tells of. */
  executeNotice(
    principal: Principal,
    request: SendRequest,
    idempotent: IdempotentRequest,
  ): Promise<{ readonly id: string }> {
    return this.fetching(principal, (fetches) =>
      this.once(idempotent, () => this.prepareOne(principal, request, fetches), false),
    );
  }

  /** All emails become durable together. A strict batch is refused for its first fault, a permissive one tells them. */
  executeBatch(principal: Principal, batch: Batch, idempotent?: IdempotentRequest): Promise<BatchAnswer> {
    return this.fetching(principal, (fetches) =>
      this.once(idempotent, () => this.prepareBatch(principal, batch, fetches)),
    );
  }

  /**
   * Sends a finished MIME message to the recipients of its envelope, whoever its header names. The content is read only
   * once everything else has been found right, and whatever is wrong with it while it is read is thrown from here.
   */
  async executeRaw(principal: Principal, request: RawSendRequest): Promise<{ readonly id: string }> {
    let spooled: SpooledMime | undefined;
    try {
      return await this.once(idempotentRawRequest(principal.teamId, request), async () => {
        const email = await this.prepareRaw(principal, request);
        spooled = email.mime;
        return { emails: [email], answer: { id: email.email.id } };
      });
    } finally {
      if (spooled !== undefined) this.spool.release(spooled);
    }
  }

  /** A repetition gets the first answer, also where it would be refused by now: its time may have passed since. */
  private async once<Answer>(
    idempotent: IdempotentRequest | undefined,
    prepare: () => Promise<Prepared<Answer>>,
    wantsRoom = true,
  ): Promise<Answer> {
    const claimedAt = this.clock.now();
    let prepared: Prepared<Answer>;
    try {
      if (wantsRoom) this.room.check();
      prepared = await prepare();
    } catch (error) {
      if (idempotent === undefined || !(error instanceof DomainError)) throw error;
      const known = await this.idempotencyKeys.find(idempotent, claimedAt);
      if (known === undefined) throw error;
      return replay(idempotent, known) as Answer;
    }
    const { emails, answer } = prepared;
    const claim = idempotent === undefined ? undefined : { request: idempotent, answer, claimedAt };
    const acceptance = await this.acceptance.accept(emails, claim);
    return acceptance.kind === 'accepted' ? answer : (acceptance.answer as Answer);
  }

  /** What attachments take that are fetched for a request is held until its emails are durable. */
  private async fetching<Result>(
    { teamId }: Principal,
    work: (fetches: AttachmentFetches) => Promise<Result>,
  ): Promise<Result> {
    const fetches = this.linkedAttachments.begin(teamId);
    try {
      return await work(fetches);
    } finally {
      fetches.end();
    }
  }

  private async prepareOne(
    principal: Principal,
    request: SendRequest,
    fetches: AttachmentFetches,
  ): Promise<Prepared<{ readonly id: string }>> {
    const email = await this.prepare(principal, request, fetches);
    return { emails: [email], answer: { id: email.email.id } };
  }

  private async prepareBatch(
    principal: Principal,
    batch: Batch,
    fetches: AttachmentFetches,
  ): Promise<Prepared<BatchAnswer>> {
    const items = batch.items.map(async (item, index) => {
      const prepared = await this.prepareItem(principal, item, index, fetches);
      if ('fault' in prepared && !batch.permissive) fetches.stop(prepared.fault.error);
      return prepared;
    });
    const prepared = await Promise.all(items);
    const emails = prepared.filter((item) => 'email' in item);
    const faults = prepared.filter((item) => 'fault' in item).map(({ fault }) => fault);
    return { emails, answer: checkBatch(batch, emails, faults) };
  }

  private async prepareItem(
    principal: Principal,
    item: BatchItem,
    index: number,
    fetches: AttachmentFetches,
  ): Promise<AcceptedEmail | { readonly fault: BatchFault }> {
    try {
      if (item instanceof DomainError) throw item;
      return await this.prepare(principal, item, fetches);
    } catch (error) {
      if (error instanceof DomainError) return { fault: { index, error } };
      throw error;
    }
  }

  private async prepareRaw(principal: Principal, request: RawSendRequest): Promise<AcceptedEmail> {
    const now = this.clock.now();
    const checked = checkRawRequest(request, now);
    const domain = await this.senderDomain(principal, checked.from);
    refuseFakeRecipients(request.recipients);
    const recipients = envelopeOfAddresses(request.recipients);
    const id = newId(now.getTime());
    const mime = await this.spool.take(id, request.content);
    return acceptedRawEmail(
      id,
      { teamId: principal.teamId, actor: principal.actor, domainId: domain.id },
      checked,
      recipients,
      mime,
      now,
    );
  }

  private async senderDomain(principal: Principal, from: Mailbox): Promise<Domain> {
    principal.require('emails:send');
    const domain = await this.domains.require(principal.teamId, from.domain);
    if (!principal.isForDomain(domain.id)) throw new SenderNotAllowedError();
    return domain;
  }

  private async prepare(
    principal: Principal,
    request: SendRequest,
    fetches: AttachmentFetches,
  ): Promise<AcceptedEmail> {
    const now = this.clock.now();
    const draft = parseDraft(request, now);
    const domain = await this.senderDomain(principal, draft.from);
    const recipients = envelopeOf(draft.to, draft.cc, draft.bcc);
    refuseFakeRecipients(recipients.map((recipient) => recipient.address));
    const complete = await this.linkedAttachments.complete(draft, fetches);
    return this.accepted(principal, complete, domain.id, recipients, now);
  }

  private accepted(
    principal: Principal,
    draft: CompleteDraft,
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
        teamId: principal.teamId,
        domainId,
        actor: principal.actor,
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
        tracking: draft.tracking,
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
