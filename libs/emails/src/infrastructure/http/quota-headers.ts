import { Quotas } from '#rate-limit';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Adds headers with the used part of the quotas to every response to a sending request, also to refusals. */
@Injectable()
export class QuotaHeaders {
  constructor(private readonly quotas: Quotas) {}

  async with<Result>(reply: FastifyReply, teamId: string, send: () => Promise<Result>): Promise<Result> {
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
