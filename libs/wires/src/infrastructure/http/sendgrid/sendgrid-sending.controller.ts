import { Undocumented } from '#http/openapi';
import { RehearseEmail } from '#emails';
import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Body, Controller, Get, Headers, Post, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { sendsMail, Submission, WireEmails } from '../wire-emails.js';
import { sendgridMessage, SendgridMessage } from './sendgrid-message.js';

/** Sending, as SendGrid has it: one request for up to 1,000 emails. The answer has no body. */
@Controller('sendgrid/v3')
@UseGuards(PrincipalGuard)
@Undocumented()
export class SendgridSendingController {
  constructor(
    private readonly emails: WireEmails,
    private readonly rehearsal: RehearseEmail,
  ) {}

  @Post('mail/send')
  @Requires('emails:send')
  @Audited(sendsMail)
  async send(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('idempotency-key') key?: string,
  ): Promise<void> {
    const message = sendgridMessage(body);
    if (message.isSandboxed) {
      await this.rehearse(principal, message);
      void reply.status(200);
      return;
    }
    const id = await this.submit({ principal, endpoint: 'POST /sendgrid/v3/mail/send', key, body }, message);
    void reply.status(202).header('x-message-id', id);
  }

  /** What a key may do. Clients read it to see whether their key works. */
  @Get('scopes')
  @Requires('emails:send')
  scopes(@CurrentPrincipal() principal: Principal): { readonly scopes: readonly string[] } {
    const names = [
      ...(principal.may('emails:send') ? ['mail.send'] : []),
      ...(principal.may('suppressions:read') ? ['suppression.read', 'suppression.bounces.read'] : []),
      ...(principal.may('suppressions:write') ? ['suppression.delete', 'suppression.bounces.delete'] : []),
    ];
    return { scopes: names };
  }

  /** Resolves with the id of the first email. */
  private async submit(submission: Submission, { emails }: SendgridMessage): Promise<string> {
    if (emails.kind === 'personal') {
      const { ids } = await this.emails.personal(submission, emails.request);
      return ids[0] ?? '';
    }
    const { requests } = emails;
    const [only] = requests;
    if (requests.length === 1 && only !== undefined) return (await this.emails.one(submission, only)).id;
    const { data } = await this.emails.several(submission, requests, false);
    return data[0]?.id ?? '';
  }

  /** The first email is checked with all that its sending would be refused with. */
  private async rehearse(principal: Principal, { emails }: SendgridMessage): Promise<void> {
    if (emails.kind === 'several') {
      const [first] = emails.requests;
      if (first !== undefined) await this.rehearsal.rehearse(principal, first, async () => undefined);
      return;
    }
    const { recipients, content, from, subject } = emails.request;
    const request = { ...content, from, subject, to: recipients[0]?.to };
    await this.rehearsal.rehearse(principal, request, async () => undefined);
  }
}
