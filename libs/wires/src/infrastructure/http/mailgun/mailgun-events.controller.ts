import { Undocumented } from '#http/openapi';
import { ReadEmails } from '#emails';
import type { EventSearch, FoundEvent } from '#emails';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Controller, Get, Param, Query, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { baseOf, MailgunDomains } from './mailgun-domains.js';
import { EventPage, eventQuery, pageToken, readPageToken } from './event-query.js';
import { mailgunEvent, MailgunEvent } from './mailgun-event.js';

interface EventsResponse {
  readonly items: readonly MailgunEvent[];
  readonly paging: Readonly<Record<'previous' | 'next' | 'first' | 'last', string>>;
}

/** The log of events of a domain. Its pages go on behind the last event that was read, so that a log can be followed. */
@Controller('mailgun/v3/:domain/events')
@UseGuards(PrincipalGuard)
@Undocumented()
export class MailgunEventsController {
  constructor(
    private readonly domains: MailgunDomains,
    private readonly readEmails: ReadEmails,
  ) {}

  @Get()
  @Requires('emails:read')
  first(
    @CurrentPrincipal() principal: Principal,
    @Param('domain') domain: string,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
  ): Promise<EventsResponse> {
    return this.page(principal, domain, { query: eventQuery(query), isBack: false }, request);
  }

  /** The links of a page have all of its filters: parameters beside them, which some clients repeat, say nothing new. */
  @Get(':page')
  @Requires('emails:read')
  next(
    @CurrentPrincipal() principal: Principal,
    @Param('domain') domain: string,
    @Param('page') page: string,
    @Req() request: FastifyRequest,
  ): Promise<EventsResponse> {
    return this.page(principal, domain, readPageToken(page), request);
  }

  private async page(
    { teamId }: Principal,
    name: string,
    page: EventPage,
    request: FastifyRequest,
  ): Promise<EventsResponse> {
    const domain = await this.domains.require(teamId, name);
    const { search } = page.query;
    const found =
      search === undefined ? { items: [], next: undefined } : await this.found(teamId, domain.id, page, search);
    const items = page.isBack ? found.items.toReversed() : found.items;
    const link = (isBack: boolean, after?: string): string =>
      `${baseOf(request)}/v3/${domain.name}/events/${pageToken({ query: page.query, isBack, after })}`;
    const furthest = found.next ?? found.items.at(-1)?.position ?? page.after;
    const nearest = found.items[0]?.position ?? page.after;
    return {
      items: items.map(mailgunEvent),
      paging: {
        previous: link(true, page.isBack ? furthest : nearest),
        next: link(false, page.isBack ? nearest : furthest),
        first: link(false),
        last: link(true),
      },
    };
  }

  private found(
    teamId: string,
    domainId: string,
    { isBack, after }: EventPage,
    search: EventSearch,
  ): Promise<{ readonly items: readonly FoundEvent[]; readonly next: string | undefined }> {
    const isAscending = search.isAscending !== isBack;
    return this.readEmails.searchEvents(teamId, { ...search, domainId, isAscending, ...(after && { after }) });
  }
}
