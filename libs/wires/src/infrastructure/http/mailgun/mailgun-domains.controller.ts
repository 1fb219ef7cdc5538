import { Undocumented } from '#http/openapi';
import { TakesMultipartOrForms } from '#http/server';
import { ChangeDomain, ReadDomains } from '#domains';
import type { Domain, RecordView } from '#domains';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { found } from '#kernel';
import { Controller, Get, Param, Put, Query, UseGuards } from '@nestjs/common';
import { wholeParameter } from '../wire-fields.js';
import { MailgunDomains } from './mailgun-domains.js';

const maxLimit = 1_000;

/** Domains, which are made and changed over our own API. Clients of Mailgun read them, and have them verified. */
@Controller(['mailgun/v3/domains', 'mailgun/v4/domains'])
@UseGuards(PrincipalGuard)
@Undocumented()
export class MailgunDomainsController {
  constructor(
    private readonly domains: MailgunDomains,
    private readonly readDomains: ReadDomains,
    private readonly changeDomain: ChangeDomain,
  ) {}

  @Get()
  @Requires('domains:read')
  async list(@CurrentPrincipal() { teamId }: Principal, @Query() query: Record<string, unknown>): Promise<object> {
    const limit = wholeParameter(query, 'limit', { min: 1, max: maxLimit, otherwise: 100 });
    const skip = wholeParameter(query, 'skip', { min: 0, max: 10_000, otherwise: 0 });
    const { items } = await this.readDomains.list(teamId);
    return { total_count: items.length, items: items.slice(skip, skip + limit).map(domainOf) };
  }

  @Get(':name')
  @Requires('domains:read')
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('name') name: string): Promise<object> {
    const { id } = await this.domains.require(teamId, name);
    return this.shown(teamId, id);
  }

  // Clients declare a form, and send none.
  @Put(':name/verify')
  @TakesMultipartOrForms()
  @Requires('domains:write')
  async verify(@CurrentPrincipal() { teamId }: Principal, @Param('name') name: string): Promise<object> {
    const { id } = await this.domains.require(teamId, name);
    await this.changeDomain.verify(teamId, id);
    return { message: 'Domain DNS records have been updated', ...(await this.shown(teamId, id)) };
  }

  private async shown(teamId: string, id: string): Promise<object> {
    const { domain, records } = found('Domain', await this.readDomains.find(teamId, id));
    const isReceiving = ({ record }: RecordView): boolean => record === 'Receiving MX';
    return {
      domain: domainOf(domain),
      receiving_dns_records: records.filter(isReceiving).map(recordOf),
      sending_dns_records: records.filter((record) => !isReceiving(record)).map(recordOf),
    };
  }
}

function domainOf({ id, name, createdAt, sandbox, status }: Domain): object {
  return {
    id,
    name,
    state: sandbox || status === 'verified' ? 'active' : 'unverified',
    type: sandbox ? 'sandbox' : 'custom',
    created_at: createdAt.toUTCString(),
    is_disabled: false,
    require_tls: false,
    skip_verification: false,
    smtp_login: 'postrider',
    spam_action: 'disabled',
    web_prefix: 'email',
    wildcard: false,
  };
}

function recordOf({ name, type, value, status, priority }: RecordView): object {
  return {
    name,
    record_type: type,
    value,
    valid: status === 'verified' ? 'valid' : 'unknown',
    cached: [],
    is_active: status === 'verified',
    ...(priority === undefined ? {} : { priority: String(priority) }),
  };
}
