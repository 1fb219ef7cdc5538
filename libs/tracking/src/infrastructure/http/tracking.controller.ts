import { ClientBudget, Clock, DomainError, NotFoundError, plainAddress } from '#kernel';
import { Undocumented } from '#http/openapi';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FollowVisits, SeenVisit } from '../../application/follow-visits.use-case.js';
import { TrackingTokens } from '../../application/ports/tracked-visits.port.js';

/** Gmail fetches the pictures of all its readers from about a hundred addresses; no single reader needs this many. */
const maxRequestsPerSecond = 1_000;

/** One transparent pixel, 43 bytes. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** No caching, so that a second visit is seen as well. No referrer, so that the token is not sent to the target. */
const headers = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
};

/**
 * The target of the pixels and links in delivered mail. Anyone who has the URL may follow it. Nothing is read from the
 * database before the response, so links work for deleted emails and while the database is unreachable. HEAD responds
 * like GET.
 *
 * A token is valid only at the host that it was made for, so a proxy in front must pass on the `Host` of the request.
 */
@Controller()
@Undocumented()
export class TrackingController {
  private readonly budget = new ClientBudget(maxRequestsPerSecond);

  constructor(
    private readonly tokens: TrackingTokens,
    private readonly visits: FollowVisits,
    private readonly clock: Clock,
  ) {}

  @Get('o/:token')
  open(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const recipient = this.admitted(request, reply, this.tokens.readPixel(token, hostOf(request)));
    this.visits.opened(recipient, seenVisit(request));
    // Web mail with cross-origin isolation loads pictures from other origins only with this header.
    void reply.headers({ 'content-type': 'image/gif', 'cross-origin-resource-policy': 'cross-origin' }).send(pixel);
  }

  @Get('c/:token')
  click(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const link = this.admitted(request, reply, this.tokens.readLink(token, hostOf(request)));
    this.visits.clicked(link, seenVisit(request));
    // The normalised URL is ASCII and has no line break that could add another header.
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

/** Headers in which browsers and mail clients say that they prefetch, with nobody looking at the result yet. */
const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** The address may come from a proxy's header, which can have any length. */
const maxAddressLength = 64;

function seenVisit({ method, headers, ip }: FastifyRequest): SeenVisit {
  return {
    method,
    userAgent: headers['user-agent'],
    purpose: purposes
      .map((name) => String(headers[name] ?? '').slice(0, 100))
      .join(' ')
      .trim()
      .toLowerCase(),
    ipAddress: plainAddress(ip).slice(0, maxAddressLength),
  };
}
