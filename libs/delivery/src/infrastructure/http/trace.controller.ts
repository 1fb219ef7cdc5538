import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Clock } from '#kernel';
import { found, idFromPath } from '#platform/http';
import { Responses, DescribedBy } from '#platform/openapi';
import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { TraceEmail } from '../../application/trace-email.query.js';
import { TraceResponse } from './trace.response.js';
import { traceResponse } from './trace.response-builder.js';

/** Our own addition to the contract: the whole story of an email. */
@Controller('emails')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/trace.description.js'))
export class TraceController {
  constructor(
    private readonly traceEmail: TraceEmail,
    private readonly clock: Clock,
  ) {}

  @Get(':id/trace')
  @Requires('emails:read')
  @Responses(TraceResponse)
  async trace(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    const trace = await this.traceEmail.execute(principal.teamId, idFromPath('id', id));
    return traceResponse(found('Email', trace), this.clock.now());
  }
}
