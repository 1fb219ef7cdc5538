import { Undocumented } from '#http/openapi';
import { ReadEmails } from '#emails';
import type { EventSearch, FoundEvent } from '#emails';
import { refusalTypes } from '#events';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { isUuid, ValidationError } from '#kernel';
import { Suppressions } from '#suppressions';
import { Controller, Get, Param, Put, Query, UseGuards } from '@nestjs/common';
import { momentOf, parameter } from '../wire-fields.js';
import { bounceOf, typeOf } from './postmark-bounce.js';
import { PostmarkError } from './postmark-errors.js';
import { tagFilter } from './postmark-message.js';
import { offsetPage } from './postmark-pages.js';

const unknownBounce = 407;
/** Bounces and complaints, read from the log of events. The number of a bounce is its position in that log. */
@Controller('postmark/bounces')
@UseGuards(PrincipalGuard)
@Undocumented()
export class PostmarkBouncesController {
  constructor(
    private readonly readEmails: ReadEmails,
    private readonly suppressions: Suppressions,
  ) {}

  @Get()
  @Requires('emails:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: Record<string, unknown>,
  ): Promise<{ TotalCount: number; Bounces: object[] }> {
    const { count, offset } = offsetPage(query);
    const inactive = parameter(query, 'inactive');
    if (inactive !== undefined && inactive !== 'true') throw new ValidationError('`inactive` can only be `true`.');
    const type = parameter(query, 'type');
    const messageId = parameter(query, 'messageID');
    const { items: events } = await this.readEmails.searchEvents(teamId, {
      ...searchOf(query),
      limit: offset + count + 1,
    });
    const bounces = events
      .filter((event) => type === undefined || type === typeOf(event))
      .filter(({ emailId }) => messageId === undefined || emailId === messageId.toLowerCase());
    return {
      TotalCount: bounces.length,
      Bounces: bounces.slice(offset, offset + count).map((event) => bounceOf(event, teamId)),
    };
  }

  @Get(':id')
  @Requires('emails:read')
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<object> {
    return bounceOf(await this.find(teamId, id), teamId);
  }

  /** The source of a bounce is not kept, and Postmark answers with an empty text where that is so. */
  @Get(':id/dump')
  @Requires('emails:read')
  async dump(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<{ Body: string }> {
    await this.find(teamId, id);
    return { Body: '' };
  }

  @Put(':id/activate')
  @Requires('suppressions:write')
  async activate(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<object> {
    const event = await this.find(teamId, id);
    await this.suppressions.removeAll(teamId, { emails: [(event.recipient ?? '').toLowerCase()] });
    return { Message: 'OK', Bounce: { ...bounceOf(event, teamId), Inactive: false } };
  }

  private async find(teamId: string, id: string): Promise<FoundEvent> {
    if (!/^\d{1,15}$/.test(id)) throw new PostmarkError(unknownBounce, 'The bounce ID must be a number.');
    const search = { types: refusalTypes, isAscending: true, limit: 1, after: String(BigInt(id) - 1n) } as const;
    const at = id === '0' ? [] : (await this.readEmails.searchEvents(teamId, { ...search, upTo: id })).items;
    const [event] = at;
    if (event === undefined) throw new PostmarkError(unknownBounce, 'The bounce was not found.', 'not_found');
    return event;
  }
}

function searchOf(query: Readonly<Record<string, unknown>>): Omit<EventSearch, 'limit'> {
  const [from, to, tag] = ['fromdate', 'todate', 'tag'].map((name) => parameter(query, name));
  const messageId = parameter(query, 'messageID');
  if (messageId !== undefined && !isUuid(messageId))
    throw new ValidationError('`messageID` must be the id of a message.');
  return {
    types: refusalTypes,
    recipient: parameter(query, 'emailFilter'),
    ...(from === undefined ? {} : { from: momentOf('fromdate', from) }),
    ...(to === undefined ? {} : { to: momentOf('todate', to) }),
    ...(tag === undefined ? {} : { tags: [[tagFilter(tag)]] }),
    isAscending: false,
  };
}
