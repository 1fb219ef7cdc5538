import { ApiExcludeController } from '#platform/openapi';
import { Clock, DomainError, NotFoundError } from '#kernel';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FollowVisits } from '../../application/follow-visits.use-case.js';
import { TrackingTokens } from '../../application/ports/tracking-tokens.port.js';
import { ClientBudget } from '../../domain/client-budget.js';
import { seenVisit } from './seen-visit.js';

/** One transparent pixel, 43 bytes. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** A second visit must come here as well, and what the address holds must not travel on. */
const headers = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
};

/**
 * What the pixels and links of delivered mail lead to. Whoever has the address may follow it; nothing is looked up
 * before the answer, so it works for mail long forgotten and with the database away. HEAD answers like GET.
 *
 * A token counts only at the host that it was made for, so a proxy in front must pass the `Host` of the request on.
 */
@Controller()
@ApiExcludeController()
export class TrackingController {
  private readonly budget = new ClientBudget();

  constructor(
    private readonly tokens: TrackingTokens,
    private readonly visits: FollowVisits,
    private readonly clock: Clock,
  ) {}

  @Get('o/:token')
  open(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const recipient = this.admitted(request, reply, this.tokens.readPixel(token, hostOf(request)));
    this.visits.opened(recipient, seenVisit(request));
    // Web mail that isolates its pages loads pictures of others only where these say that it may.
    void reply.headers({ 'content-type': 'image/gif', 'cross-origin-resource-policy': 'cross-origin' }).send(pixel);
  }

  @Get('c/:token')
  click(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const link = this.admitted(request, reply, this.tokens.readLink(token, hostOf(request)));
    this.visits.clicked(link, seenVisit(request));
    // As a browser writes it: ASCII, and no line break that would be another header.
    void reply.status(302).header('location', new URL(link.url).href).send();
  }

  private admitted<Thing>(request: FastifyRequest, reply: FastifyReply, thing: Thing | undefined): Thing {
    void reply.headers(headers);
    if (!this.budget.take(request.ip, this.clock.now().getTime())) {
      void reply.header('retry-after', '1');
      throw new DomainError('limited', 'rate_limit_exceeded', 'Too many requests from your address.');
    }
    if (thing === undefined) throw new NotFoundError('Link');
    return thing;
  }
}

function hostOf({ hostname }: FastifyRequest): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}
