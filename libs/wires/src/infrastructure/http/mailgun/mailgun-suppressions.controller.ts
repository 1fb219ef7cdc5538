import { MultipartBody, TakesMultipartOrForms } from '#http/server';
import { Undocumented } from '#http/openapi';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { DomainError, isUuid, parseEmailAddress, ValidationError } from '#kernel';
import { Suppressions } from '#suppressions';
import type { Suppression, SuppressionOrigin } from '#suppressions';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { NoCounterpartError } from '../wire-emails.js';
import { WireFields, parameter, wholeParameter } from '../wire-fields.js';
import { baseOf, MailgunDomains } from './mailgun-domains.js';
import { MailForm } from './mailgun-form.js';

const maxAdded = 1_000;
const maxLimit = 1_000;

interface Table {
  readonly origin: SuppressionOrigin;
  readonly removed: string;
  readonly added: string;
  readonly fields: object;
}

/** The tables of suppressed addresses. They are those of the team here, and each address stands in one of them. */
const tables: Readonly<Record<string, Table>> = {
  bounces: {
    origin: 'bounce',
    added: 'Address has been added to the bounces table',
    removed: 'Bounced address has been removed',
    fields: { code: '550', error: '' },
  },
  complaints: {
    origin: 'complaint',
    added: 'Address has been added to the complaints table',
    removed: 'Spam complaint has been removed',
    fields: { count: 1 },
  },
  unsubscribes: {
    origin: 'manual',
    added: 'Address has been added to the unsubscribes table',
    removed: 'Unsubscribe event has been removed',
    fields: { tags: ['*'] },
  },
};

@Controller('mailgun/v3/:domain/:table(bounces|complaints|unsubscribes)')
@UseGuards(PrincipalGuard)
@Undocumented()
export class MailgunSuppressionsController {
  constructor(
    private readonly domains: MailgunDomains,
    private readonly suppressions: Suppressions,
  ) {}

  @Get()
  @Requires('suppressions:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() path: { readonly domain: string; readonly table: string },
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    const { domain, table } = await this.tableOf(teamId, path);
    const limit = wholeParameter(query, 'limit', { min: 1, max: maxLimit, otherwise: 100 });
    const [after, before] = [cursorOf(query, 'after'), cursorOf(query, 'before')];
    const cursor = before === undefined ? { ...(after && { after }) } : { before };
    const { items } = await this.suppressions.list(teamId, { limit, ...cursor }, table.origin);
    const link = (page: string): string =>
      `${baseOf(request)}/v3/${domain}/${path.table}?${new URLSearchParams(`limit=${limit}${page}`).toString()}`;
    const [first, last] = [items[0]?.id, items.at(-1)?.id ?? after];
    return {
      items: items.map((one) => itemOf(one, table)),
      paging: {
        first: link('&page=first'),
        next: link(`&page=next${last === undefined ? '' : `&after=${last}`}`),
        previous: link(`&page=previous${first === undefined ? '' : `&before=${first}`}`),
        last: link('&page=last'),
      },
    };
  }

  @Post()
  @TakesMultipartOrForms()
  @Requires('suppressions:write')
  @HttpCode(200)
  async add(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() path: { readonly domain: string; readonly table: string },
    @Body() body: unknown,
  ): Promise<object> {
    const { table } = await this.tableOf(teamId, path);
    const emails = (await addressesIn(body)).map((text) => {
      const address = parseEmailAddress(text.trim())?.address;
      if (address === undefined) throw new ValidationError(`\`address\` is not a valid address: ${text.slice(0, 100)}`);
      return address;
    });
    const { origin, added } = table;
    await this.suppressions.add(emails.map((email) => ({ teamId, email, origin, sourceId: null })));
    const message =
      emails.length === 1 ? added : `${emails.length} addresses have been added to the ${path.table} table`;
    return { message, address: emails[0] };
  }

  @Get(':address')
  @Requires('suppressions:read')
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() path: { readonly domain: string; readonly table: string; readonly address: string },
  ): Promise<object> {
    const { table } = await this.tableOf(teamId, path);
    return itemOf(await this.find(teamId, path, table), table);
  }

  @Delete(':address')
  @TakesMultipartOrForms()
  @Requires('suppressions:write')
  async remove(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() path: { readonly domain: string; readonly table: string; readonly address: string },
  ): Promise<object> {
    const { table } = await this.tableOf(teamId, path);
    const { id } = await this.find(teamId, path, table);
    await this.suppressions.remove(teamId, id);
    return { message: table.removed, address: path.address };
  }

  @Delete()
  @TakesMultipartOrForms()
  @Requires('suppressions:write')
  removeAll(): never {
    throw new NoCounterpartError('Emptying a whole table', 'remove its addresses.');
  }

  private async tableOf(
    teamId: string,
    path: { readonly domain: string; readonly table: string },
  ): Promise<{ readonly domain: string; readonly table: Table }> {
    const { name } = await this.domains.require(teamId, path.domain);
    return { domain: name, table: tables[path.table] as Table };
  }

  private async find(
    teamId: string,
    { address, table: name }: { readonly address: string; readonly table: string },
    { origin }: Table,
  ): Promise<Suppression> {
    const unknown = new DomainError('not_found', 'not_found', `Address not found in ${name} table`);
    if (isUuid(address)) throw unknown;
    const found = await this.suppressions.find(teamId, address).catch((error: unknown) => {
      throw error instanceof DomainError && error.kind === 'not_found' ? unknown : error;
    });
    if (found.origin !== origin) throw unknown;
    return found;
  }
}

function itemOf({ email, createdAt }: Suppression, { fields }: Table): object {
  return { address: email, ...fields, created_at: createdAt.toUTCString() };
}

function cursorOf(query: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const cursor = parameter(query, name);
  if (cursor === undefined || isUuid(cursor)) return cursor;
  throw new ValidationError(`\`${name}\` is not a page of this table.`);
}

/** One address of a form, or up to 1,000 of a JSON array. */
async function addressesIn(body: unknown): Promise<readonly string[]> {
  if (body instanceof MultipartBody) {
    const form = await MailForm.read(body);
    refuseTags([form.one('tag') ?? form.one('tags')]);
    return [form.one('address') ?? ''];
  }
  const fields = new WireFields({ addresses: Array.isArray(body) ? body : [body] }).objects('addresses', maxAdded);
  if (fields.length === 0) throw new ValidationError('address parameter is missing');
  return fields.map((one) => {
    refuseTags([one.text('tag'), ...one.texts('tags', 100)]);
    return one.text('address') ?? '';
  });
}

/** An address is unsubscribed from everything, or not at all. */
function refuseTags(tags: readonly (string | undefined)[]): void {
  if (tags.some((tag) => tag !== undefined && tag !== '*')) throw new NoCounterpartError('A tag of an unsubscribe');
}
