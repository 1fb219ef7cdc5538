import { AllowSendingKeys, ApiKeyGuard, CurrentCaller } from '#identity';
import type { Caller } from '#identity';
import { ApiExcludeController } from '#platform/openapi';
import { Body, Controller, Headers, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SubmitEmail } from './submit-email.js';

/** The paths that `POST /emails` had once (docs/wire-contract.md section 2): some clients still use them. */
@Controller(['email', 'emails/sending', 'email/sending'])
@UseGuards(ApiKeyGuard)
@ApiExcludeController()
export class LegacySendingController {
  constructor(private readonly submitEmail: SubmitEmail) {}

  @Post()
  @HttpCode(200)
  @AllowSendingKeys()
  send(
    @CurrentCaller() caller: Caller,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('idempotency-key') key?: string,
  ): Promise<{ id: string }> {
    return this.submitEmail.execute(caller, body, reply, key);
  }
}
