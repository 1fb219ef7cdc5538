import { Undocumented } from '#http/openapi';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { DomainError, isUuid, parseEmailAddress, ValidationError } from '#kernel';
import { Suppressions } from '#suppressions';
import type { Suppression, SuppressionOrigin } from '#suppressions';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { NoCounterpartError } from '../wire-emails.js';
import { WireFields, wholeParameter } from '../wire-fields.js';

const maxLimit = 500;
const maxOffset = 1_000;
const maxChanged = 1_000;

interface List {
  readonly origin: SuppressionOrigin;
  readonly fields: object;
}

/** The lists of suppressed addresses. They are those of the team here, and each address stands in one of them. */
const lists: Readonly<Record<string, List>> = {
  bounces: { origin: 'bounce', fields: { reason: '550', status: '5.0.0' } },
  spam_reports: { origin: 'complaint', fields: { ip: '' } },
  unsubscribes: { origin: 'manual', fields: {} },
};
const global = lists.unsubscribes as List;

@Controller('sendgrid/v3')
@UseGuards(PrincipalGuard)
@Undocumented()
export class SendgridSuppressionsController {
  constructor(private readonly suppressions: Suppressions) {}

  @Get('suppression/:list(bounces|spam_reports|unsubscribes)')
  @Requires('suppressions:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('list') name: string,
    @Query() query: Record<string, unknown>,
  ): Promise<object[]> {
    const list = lists[name] as List;
    const limit = wholeParameter(query, 'limit', { min: 1, max: maxLimit, otherwise: maxLimit });
    const offset = wholeParameter(query, 'offset', { min: 0, max: maxOffset, otherwise: 0 });
    const [start, end] = ['start_time', 'end_time'].map((bound) =>
      wholeParameter(query, bound, { min: 0, max: 999_999_999_999, otherwise: -1 }),
    ) as [number, number];
    const { items } = await this.suppressions.list(teamId, { limit: limit + offset }, list.origin);
    return items
      .slice(offset)
      .filter((one) => start < 0 || secondsOf(one) >= start)
      .filter((one) => end < 0 || secondsOf(one) <= end)
      .map((one) => itemOf(one, list));
  }

  @Get('suppression/:list(bounces|spam_reports|unsubscribes)/:email')
  @Requires('suppressions:read')
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() path: { readonly list: string; readonly email: string },
  ): Promise<object[]> {
    const list = lists[path.list] as List;
    const found = await this.find(teamId, path.email, list);
    return found === undefined ? [] : [itemOf(found, list)];
  }

  @Delete('suppression/:list(bounces|spam_reports|unsubscribes)/:email')
  @Requires('suppressions:write')
  @HttpCode(204)
  async remove(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() path: { readonly list: string; readonly email: string },
  ): Promise<void> {
    const found = await this.find(teamId, path.email, lists[path.list] as List);
    if (found === undefined) throw new DomainError('not_found', 'not_found', 'The address is not in this list.');
    await this.suppressions.remove(teamId, found.id);
  }

  @Delete('suppression/:list(bounces|spam_reports|unsubscribes)')
  @Requires('suppressions:write')
  @HttpCode(204)
  async removeSeveral(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('list') name: string,
    @Body() body: unknown,
  ): Promise<void> {
    const fields = WireFields.of(body);
    if (fields.flag('delete_all') === true)
      throw new NoCounterpartError('`delete_all`', 'name the addresses in `emails`.');
    const emails = fields.texts('emails', maxChanged);
    const found = await Promise.all(emails.map((email) => this.find(teamId, email, lists[name] as List)));
    const ids = found.flatMap((one) => one?.id ?? []);
    if (ids.length > 0) await this.suppressions.removeAll(teamId, { ids });
  }

  @Post('asm/suppressions/global')
  @Requires('suppressions:write')
  async add(@CurrentPrincipal() { teamId }: Principal, @Body() body: unknown): Promise<object> {
    const emails = WireFields.of(body)
      .texts('recipient_emails', maxChanged)
      .map((text) => {
        const address = parseEmailAddress(text.trim())?.address;
        if (address === undefined) throw new ValidationError('`recipient_emails` must be valid addresses.');
        return address;
      });
    await this.suppressions.add(emails.map((email) => ({ teamId, email, origin: global.origin, sourceId: null })));
    return { recipient_emails: emails };
  }

  @Get('asm/suppressions/global/:email')
  @Requires('suppressions:read')
  async getGlobal(@CurrentPrincipal() { teamId }: Principal, @Param('email') email: string): Promise<object> {
    const found = await this.find(teamId, email, global);
    return found === undefined ? {} : { recipient_email: found.email };
  }

  @Delete('asm/suppressions/global/:email')
  @Requires('suppressions:write')
  @HttpCode(204)
  async removeGlobal(@CurrentPrincipal() { teamId }: Principal, @Param('email') email: string): Promise<void> {
    const found = await this.find(teamId, email, global);
    if (found !== undefined) await this.suppressions.remove(teamId, found.id);
  }

  private async find(teamId: string, email: string, { origin }: List): Promise<Suppression | undefined> {
    if (isUuid(email)) return undefined;
    const found = await this.suppressions.find(teamId, email).catch((error: unknown) => {
      if (error instanceof DomainError && error.kind === 'not_found') return undefined;
      throw error;
    });
    return found?.origin === origin ? found : undefined;
  }
}

function secondsOf({ createdAt }: Suppression): number {
  return Math.floor(createdAt.getTime() / 1_000);
}

function itemOf(suppression: Suppression, { fields }: List): object {
  return { created: secondsOf(suppression), email: suppression.email, ...fields };
}
