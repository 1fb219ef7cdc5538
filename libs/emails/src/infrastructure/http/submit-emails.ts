import { idempotentRequest } from '#idempotency';
import type { AuditSettings, Principal } from '#identity';
import { Clock } from '#kernel';
import { Quotas } from '#rate-limit';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AcceptEmails } from '../../application/accept-emails.use-case.js';
import { BatchResponse } from '../../domain/batch.js';
import { decodeBatch } from './send-batch.request.js';
import { decodeSendRequest } from './send-email.request.js';

export const recordsItsActor: AuditSettings = {
  notBecause: 'each email names who sent it, and there are far more emails than changes',
};

/** Handles requests that send emails: decodes them, makes them idempotent, and has their emails accepted. */
@Injectable()
export class SubmitEmails {
  constructor(
    private readonly acceptEmails: AcceptEmails,
    private readonly quotas: Quotas,
    private readonly clock: Clock,
  ) {}

  /** `POST /emails` and its former paths. An idempotency key covers all of these paths together. */
  async one(
    principal: Principal,
    body: unknown,
    reply: FastifyReply,
    key: string | undefined,
  ): Promise<{ readonly id: string }> {
    const request = decodeSendRequest(body, this.clock.now());
    const idempotent = await idempotentRequest(key, principal.teamId, 'POST /emails', body);
    return this.withQuotas(reply, principal.teamId, () => this.acceptEmails.send(principal, request, idempotent));
  }

  /** `POST /emails/batch`. */
  async batch(
    principal: Principal,
    body: unknown,
    reply: FastifyReply,
    { key, validation }: { readonly key: string | undefined; readonly validation: string | undefined },
  ): Promise<BatchResponse> {
    const batch = decodeBatch(body, validation, this.clock.now());
    const idempotent = await idempotentRequest(key, principal.teamId, 'POST /emails/batch', body);
    return this.withQuotas(reply, principal.teamId, () => this.acceptEmails.sendBatch(principal, batch, idempotent));
  }

  /** Adds headers with the used part of the quotas to the response, also to a refusal. */
  private async withQuotas<Result>(reply: FastifyReply, teamId: string, send: () => Promise<Result>): Promise<Result> {
    if (!this.quotas.mayRefuse) return send();
    try {
      return await send();
    } finally {
      // A response without these headers is better than an error for an email that was accepted.
      const { daily, monthly } = await this.quotas
        .shown(teamId)
        .catch(() => ({ daily: undefined, monthly: undefined }));
      if (daily !== undefined) void reply.header('x-resend-daily-quota', String(daily));
      if (monthly !== undefined) void reply.header('x-resend-monthly-quota', String(monthly));
    }
  }
}
