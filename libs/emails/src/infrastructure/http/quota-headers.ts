import { Quotas } from '#rate-limit';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Says with every answer to a sending request, refusals included, how much of the quotas is used. */
@Injectable()
export class QuotaHeaders {
  constructor(private readonly quotas: Quotas) {}

  async with<Answer>(reply: FastifyReply, teamId: string, send: () => Promise<Answer>): Promise<Answer> {
    if (!this.quotas.mayRefuse) return send();
    try {
      return await send();
    } finally {
      // An answer without its headers is better than an accepted email that is answered with an error.
      const { daily, monthly } = await this.quotas
        .shown(teamId)
        .catch(() => ({ daily: undefined, monthly: undefined }));
      if (daily !== undefined) void reply.header('x-resend-daily-quota', String(daily));
      if (monthly !== undefined) void reply.header('x-resend-monthly-quota', String(monthly));
    }
  }
}
