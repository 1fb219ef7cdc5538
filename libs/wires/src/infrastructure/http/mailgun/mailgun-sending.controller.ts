import { createHash } from 'node:crypto';
import { TakesMultipartOrForms } from '#http/server';
import { Undocumented } from '#http/openapi';
import { AcceptEmails, maxRecipients, RehearseEmail } from '#emails';
import type { SendRequest } from '#emails';
import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Clock, newId, parseMailbox, ValidationError } from '#kernel';
import { finishedMessage } from '#smtp';
import { Body, Controller, Headers, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { sendsMail, Submission, WireEmails } from '../wire-emails.js';
import { MailgunDomains } from './mailgun-domains.js';
import { MailForm } from './mailgun-form.js';
import { addressesOf, mailgunChoices, MailgunMessage, mailgunMessage, refuseOthers } from './mailgun-message.js';

interface QueuedMessage {
  /** The Message-ID. */
  readonly id: string;
  readonly message: string;
}

/** Sending, as Mailgun has it: parts of a message, or a finished one. */
@Controller('mailgun/v3/:domain')
@UseGuards(PrincipalGuard)
@Undocumented()
export class MailgunSendingController {
  constructor(
    private readonly domains: MailgunDomains,
    private readonly emails: WireEmails,
    private readonly acceptEmails: AcceptEmails,
    private readonly rehearsal: RehearseEmail,
    private readonly clock: Clock,
  ) {}

  @Post('messages')
  @TakesMultipartOrForms()
  @Requires('emails:send')
  @Audited(sendsMail)
  @HttpCode(200)
  async send(
    @CurrentPrincipal() principal: Principal,
    @Param('domain') name: string,
    @Body() body: unknown,
    @Headers('idempotency-key') key?: string,
  ): Promise<QueuedMessage> {
    const domain = await this.domains.require(principal.teamId, name);
    const form = await MailForm.read(body);
    const own = `<${newId()}@${domain.name}>`;
    const message = mailgunMessage(form, own);
    if (form.choice('o:testmode') === true) return queued(await this.rehearse(principal, message, own));
    const fingerprinted = key === undefined ? undefined : form.fingerprinted(sha256);
    const submission = { principal, endpoint: 'POST /mailgun/messages', key, body: fingerprinted };
    return queued(await this.submit(submission, message, own));
  }

  @Post('messages.mime')
  @TakesMultipartOrForms()
  @Requires('emails:send')
  @Audited(sendsMail)
  @HttpCode(200)
  async sendMime(
    @CurrentPrincipal() principal: Principal,
    @Param('domain') name: string,
    @Body() body: unknown,
    @Headers('idempotency-key') idempotencyKey?: string,
  ): Promise<QueuedMessage> {
    const domain = await this.domains.require(principal.teamId, name);
    const form = await MailForm.read(body);
    refuseOthers(form);
    const recipients = addressesOf(form, 'to', maxRecipients).map((text) => {
      const address = parseMailbox(text)?.address;
      if (address === undefined)
        throw new ValidationError('to parameter is not a valid address. please check documentation');
      return address;
    });
    const field = form.one('message');
    const mime =
      form.files.find((file) => file.name === 'message')?.content ??
      (field === undefined ? undefined : Buffer.from(field));
    if (mime === undefined) throw new ValidationError('message parameter is missing');
    const finished = await finishedMessage(mime, recipients, this.clock.now());
    const { tags = [], scheduledAt, tracking } = mailgunChoices(form);
    const { id } = await this.acceptEmails.submit(principal, {
      ...finished,
      tags: [...(finished.tags ?? []), ...tags],
      scheduledAt: scheduledAt ?? finished.scheduledAt,
      tracking: { ...finished.tracking, ...tracking },
      idempotencyKey: idempotencyKey ?? finished.idempotencyKey,
    });
    return queued(finished.messageId ?? `<${id}@${finished.from?.domain ?? domain.name}>`);
  }

  /** Resolves with the Message-ID. */
  private async submit(submission: Submission, message: MailgunMessage, own: string): Promise<string> {
    if (message.kind === 'personal') {
      await this.emails.personal(submission, message.request);
      return messageIdIn(message.request.recipients[0]?.headers) ?? own;
    }
    const { id } = await this.emails.one(submission, message.request);
    return messageIdIn(message.request.headers) ?? `<${id}@${senderDomain(message.request)}>`;
  }

  /** A message in test mode is checked like any other one, and goes nowhere. */
  private async rehearse(principal: Principal, message: MailgunMessage, own: string): Promise<string> {
    const request = message.kind === 'one' ? message.request : firstOf(message);
    return this.rehearsal.rehearse(principal, request, async () => own);
  }
}

function firstOf({ request }: Extract<MailgunMessage, { kind: 'personal' }>): SendRequest {
  const { recipients, content, from, replyTo, subject, tags } = request;
  const [first] = recipients;
  return { ...content, from, replyTo, subject, tags, to: first?.to, headers: first?.headers };
}

function messageIdIn(headers: Readonly<Record<string, string>> | undefined): string | undefined {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'message-id')?.[1];
}

function senderDomain({ from }: SendRequest): string {
  return parseMailbox(from ?? '')?.domain ?? '';
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const queued = (id: string): QueuedMessage => ({ id, message: 'Queued. Thank you.' });
