import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Undocumented } from '#http/openapi';
import { Body, Controller, Headers, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { recordsItsActor, SubmitEmails } from './emails.controller.js';

/** Former paths of `POST /emails` (docs/wire-contract.md section 2), which some clients still use. */
@Controller(['email', 'emails/sending', 'email/sending'])
@UseGuards(PrincipalGuard)
@Undocumented()
export class LegacySendingController {
  constructor(private readonly submitEmails: SubmitEmails) {}

  @Post()
  @Requires('emails:send')
  @Audited(recordsItsActor)
  @HttpCode(200)
  async send(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('idempotency-key') key?: string,
  ): Promise<{ id: string }> {
    return this.submitEmails.one(principal, body, reply, key);
  }
}
