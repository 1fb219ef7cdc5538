import { Undocumented } from '#http/openapi';
import type { SendRequest } from '#emails';
import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { DomainError, parseMailbox, UnitOfWork, ValidationError } from '#kernel';
import { SuppressedAddresses } from '#suppressions';
import { Body, Controller, Headers, HttpCode, Post, UseGuards } from '@nestjs/common';
import { itemOf, sendsMail, WireEmails } from '../wire-emails.js';
import { WireFields } from '../wire-fields.js';
import { codeOf, PostmarkError } from './postmark-errors.js';
import { postmarkMessage, postmarkTemplateMessage } from './postmark-message.js';

const maxBatch = 500;
const inactiveRecipient = 406;

interface SentMessage {
  readonly To?: string;
  readonly SubmittedAt?: string;
  readonly MessageID?: string;
  readonly ErrorCode: number;
  readonly Message: string;
}

type Reader = (message: WireFields) => SendRequest;

/** Sending, as Postmark has it: one message, or up to 500 of which each has a result of its own. */
@Controller('postmark')
@UseGuards(PrincipalGuard)
@Undocumented()
export class PostmarkSendingController {
  constructor(
    private readonly emails: WireEmails,
    private readonly suppressed: SuppressedAddresses,
    private readonly work: UnitOfWork,
  ) {}

  @Post('email')
  @Requires('emails:send')
  @Audited(sendsMail)
  @HttpCode(200)
  email(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Headers('idempotency-key') key?: string,
  ): Promise<SentMessage> {
    return this.one({ principal, endpoint: 'POST /postmark/email', key, body }, postmarkMessage);
  }

  @Post('email/withTemplate')
  @Requires('emails:send')
  @Audited(sendsMail)
  @HttpCode(200)
  withTemplate(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Headers('idempotency-key') key?: string,
  ): Promise<SentMessage> {
    return this.one({ principal, endpoint: 'POST /postmark/email/withTemplate', key, body }, postmarkTemplateMessage);
  }

  @Post('email/batch')
  @Requires('emails:send')
  @Audited(sendsMail)
  @HttpCode(200)
  batch(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Headers('idempotency-key') key?: string,
  ): Promise<SentMessage[]> {
    return this.several({ principal, endpoint: 'POST /postmark/email/batch', key, body }, body, postmarkMessage);
  }

  @Post('email/batchWithTemplates')
  @Requires('emails:send')
  @Audited(sendsMail)
  @HttpCode(200)
  batchWithTemplates(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Headers('idempotency-key') key?: string,
  ): Promise<SentMessage[]> {
    const endpoint = 'POST /postmark/email/batchWithTemplates';
    const messages = WireFields.of(body).any('Messages');
    return this.several({ principal, endpoint, key, body }, messages, postmarkTemplateMessage);
  }

  private async one(submission: Parameters<WireEmails['one']>[0], read: Reader): Promise<SentMessage> {
    const fields = WireFields.of(submission.body);
    const request = read(fields);
    const [inactive] = await this.inactive(submission.principal, [request]);
    if (inactive !== undefined) throw inactive;
    const { id } = await this.emails.one(submission, request);
    return accepted(fields.text('To'), id);
  }

  private async several(
    submission: Parameters<WireEmails['several']>[0],
    messages: unknown,
    read: Reader,
  ): Promise<SentMessage[]> {
    if (!Array.isArray(messages) || messages.length < 1 || messages.length > maxBatch) {
      throw new ValidationError(`A batch must be an array of 1 to ${maxBatch} messages.`);
    }
    const items = messages.map((message: unknown, at) => itemOf(() => read(WireFields.of(message, `[${at}]`))));
    const requests = items.map((item) => (item instanceof DomainError ? {} : item));
    const inactive = await this.inactive(submission.principal, requests);
    const checked = items.map((item, at) => inactive[at] ?? item);
    const { data, errors = [] } = await this.emails.several(submission, checked, true);
    const faults = new Map(errors.map(({ index, message }) => [index, message]));
    const ids = data.values();
    return checked.map((item, at) => {
      const message = faults.get(at);
      if (message !== undefined) {
        return { ErrorCode: item instanceof DomainError ? codeOf(item) : 300, Message: message };
      }
      const { value } = ids.next() as IteratorResult<{ readonly id: string }, undefined>;
      return accepted(WireFields.of(messages[at]).text('To'), value?.id ?? '');
    });
  }

  /** For each of the messages the refusal if none of its recipients would get it: clients of Postmark tell it by its code. */
  private async inactive(
    { teamId }: Principal,
    requests: readonly SendRequest[],
  ): Promise<readonly (PostmarkError | undefined)[]> {
    const recipients = requests.map(({ to, cc, bcc }) =>
      [to, cc, bcc].flatMap((list) => list ?? []).map((text) => parseMailbox(text)?.address ?? ''),
    );
    const asked = recipients.flat().map((address) => ({ teamId, address }));
    const known = await this.work.run((transaction) => this.suppressed.among(asked, transaction));
    return recipients.map((addresses) => {
      const isInactive = (address: string): boolean => known.originOf(teamId, address) !== undefined;
      if (addresses.length === 0 || !addresses.every(isInactive)) return undefined;
      return new PostmarkError(
        inactiveRecipient,
        'You tried to send to recipient(s) that have been marked as inactive. ' +
          `Found inactive addresses: ${addresses.join(', ')}. ` +
          'Inactive recipients are ones that have generated a hard bounce, a spam complaint, or a manual suppression.',
      );
    });
  }
}

function accepted(to: string | undefined, id: string): SentMessage {
  return { To: to, SubmittedAt: new Date().toISOString(), MessageID: id, ErrorCode: 0, Message: 'OK' };
}
