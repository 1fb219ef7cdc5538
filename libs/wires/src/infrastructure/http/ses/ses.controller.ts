import { Undocumented } from '#http/openapi';
import { AcceptEmails } from '#emails';
import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Clock } from '#kernel';
import { finishedMessage } from '#smtp';
import { Body, Controller, Get, Headers, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { sendsMail, WireEmails } from '../wire-emails.js';
import { SesCredentials } from './ses-credentials.js';
import { sesMessage } from './ses-message.js';

/** `SendEmail` of SES version 2, and what clients read of the account. */
@Controller('ses/v2/email')
@UseGuards(PrincipalGuard)
@Undocumented()
export class SesController {
  constructor(
    private readonly credentials: SesCredentials,
    private readonly emails: WireEmails,
    private readonly acceptEmails: AcceptEmails,
    private readonly clock: Clock,
  ) {}

  @Post('outbound-emails')
  @Requires('emails:send')
  @Audited(sendsMail)
  @HttpCode(200)
  async send(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
    @Headers('idempotency-key') key?: string,
  ): Promise<{ readonly MessageId: string }> {
    this.credentials.requireBody(request);
    const message = sesMessage(body);
    if (message.kind === 'composed') {
      const submission = { principal, endpoint: 'POST /ses/v2/email/outbound-emails', key, body };
      return { MessageId: (await this.emails.one(submission, message.request)).id };
    }
    const finished = await finishedMessage(message.mime, message.recipients, this.clock.now());
    const { id } = await this.acceptEmails.submit(principal, {
      ...finished,
      tags: [...(finished.tags ?? []), ...(message.tags ?? [])],
      idempotencyKey: key ?? finished.idempotencyKey,
    });
    return { MessageId: id };
  }

  @Get('account')
  @Requires('emails:send')
  account(): object {
    return {
      SendingEnabled: true,
      ProductionAccessEnabled: true,
      EnforcementStatus: 'HEALTHY',
      DedicatedIpAutoWarmupEnabled: false,
    };
  }
}
