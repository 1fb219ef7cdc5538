import type { Principal } from '#identity';
import { idempotentRequest } from '#idempotency';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SendEmail } from '../../application/send-email.use-case.js';
import { QuotaHeaders } from './quota-headers.js';
import { decodeSendRequest } from './send-email.request.js';

/** Handles `POST /emails` and its former paths. An idempotency key covers all of these paths together. */
@Injectable()
export class SubmitEmail {
  constructor(
    private readonly sendEmail: SendEmail,
    private readonly quotaHeaders: QuotaHeaders,
    private readonly clock: Clock,
  ) {}

  async execute(
    principal: Principal,
    body: unknown,
    reply: FastifyReply,
    key: string | undefined,
  ): Promise<{ id: string }> {
    const request = decodeSendRequest(body, this.clock.now());
    const idempotent = await idempotentRequest(key, principal.teamId, 'POST /emails', body);
    return this.quotaHeaders.with(reply, principal.teamId, () =>
      this.sendEmail.execute(principal, request, idempotent),
    );
  }
}
