import { Undocumented } from '#http/openapi';
import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Body, Controller, Get, Headers, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { sendsMail } from '../wire-emails.js';
import { SesCredentials } from './ses-credentials.js';
import { SesBulkResult, SesSending } from './ses-sending.js';

/** Sending with SES version 2, and what clients read of the account. */
@Controller('ses/v2/email')
@UseGuards(PrincipalGuard)
@Undocumented()
export class SesController {
  constructor(
    private readonly credentials: SesCredentials,
    private readonly sending: SesSending,
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
    const endpoint = 'POST /ses/v2/email/outbound-emails';
    return { MessageId: await this.sending.send({ principal, endpoint, key, body }) };
  }

  @Post('outbound-bulk-emails')
  @Requires('emails:send')
  @Audited(sendsMail)
  @HttpCode(200)
  async sendBulk(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
    @Headers('idempotency-key') key?: string,
  ): Promise<{ readonly BulkEmailEntryResults: readonly SesBulkResult[] }> {
    this.credentials.requireBody(request);
    const endpoint = 'POST /ses/v2/email/outbound-bulk-emails';
    return { BulkEmailEntryResults: await this.sending.sendBulk({ principal, endpoint, key, body }) };
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
