import { Undocumented } from '#http/openapi';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { isUuid, NotFoundError, parseEmailAddress, ValidationError } from '#kernel';
import { Suppression, Suppressions } from '#suppressions';
import { Body, Controller, Delete, Get, Param, Put, Query, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { momentOf, parameter, WireFields } from '../wire-fields.js';
import { SesCredentials } from './ses-credentials.js';
import { SesIdentities, sesPage } from './ses-identities.js';

/** They have no third reason: who was added by hand wants no mail. */
const reasons = { bounce: 'BOUNCE', complaint: 'COMPLAINT', manual: 'COMPLAINT' } as const;

/** Suppressed destinations and identities of SES version 2. Both are those of the team. */
@Controller('ses/v2/email')
@UseGuards(PrincipalGuard)
@Undocumented()
export class SesManagementController {
  constructor(
    private readonly credentials: SesCredentials,
    private readonly suppressions: Suppressions,
    private readonly identities: SesIdentities,
  ) {}

  @Put('suppression/addresses')
  @Requires('suppressions:write')
  async put(
    @CurrentPrincipal() { teamId }: Principal,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
  ): Promise<object> {
    this.credentials.requireBody(request);
    const fields = WireFields.of(body);
    const email = parseEmailAddress(fields.text('EmailAddress')?.trim() ?? '')?.address;
    if (email === undefined) throw new ValidationError('`EmailAddress` must be a valid address.');
    const origin = reasonIn(fields.text('Reason')) === 'BOUNCE' ? 'bounce' : 'complaint';
    await this.suppressions.add([{ teamId, email, origin, sourceId: null }]);
    return {};
  }

  /** Reasons and dates narrow the page that was read: it may have fewer addresses than asked for, and another one follow. */
  @Get('suppression/addresses')
  @Requires('suppressions:read')
  async list(@CurrentPrincipal() { teamId }: Principal, @Query() query: Record<string, unknown>): Promise<object> {
    const asked = [query.Reason ?? []].flat().map(reasonIn);
    const [start, end] = ['StartDate', 'EndDate'].map((name) => {
      const text = parameter(query, name);
      return text === undefined ? undefined : momentOf(name, text);
    });
    const { items, hasMore } = await this.suppressions.list(teamId, sesPage(query, 'PageSize'), undefined);
    const wanted = items
      .filter((one) => asked.length === 0 || asked.includes(reasons[one.origin]))
      .filter(
        ({ createdAt }) => (start === undefined || createdAt >= start) && (end === undefined || createdAt <= end),
      );
    return {
      SuppressedDestinationSummaries: wanted.map(destinationOf),
      NextToken: hasMore ? items.at(-1)?.id : undefined,
    };
  }

  @Get('suppression/addresses/:email')
  @Requires('suppressions:read')
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('email') email: string): Promise<object> {
    return { SuppressedDestination: destinationOf(await this.suppressions.find(teamId, addressIn(email))) };
  }

  @Delete('suppression/addresses/:email')
  @Requires('suppressions:write')
  async remove(@CurrentPrincipal() { teamId }: Principal, @Param('email') email: string): Promise<object> {
    await this.suppressions.remove(teamId, addressIn(email));
    return {};
  }

  @Get('identities')
  @Requires('domains:read')
  listIdentities(@CurrentPrincipal() { teamId }: Principal, @Query() query: Record<string, unknown>): Promise<object> {
    return this.identities.page(teamId, query);
  }

  @Get('identities/:name')
  @Requires('domains:read')
  getIdentity(@CurrentPrincipal() { teamId }: Principal, @Param('name') name: string): Promise<object> {
    return this.identities.get(teamId, name);
  }
}

/** The use cases take ids as well. */
function addressIn(path: string): string {
  if (isUuid(path)) throw new NotFoundError('Suppression');
  return path;
}

function reasonIn(value: unknown): 'BOUNCE' | 'COMPLAINT' {
  if (value === 'BOUNCE' || value === 'COMPLAINT') return value;
  throw new ValidationError('`Reason` must be BOUNCE or COMPLAINT.');
}

/** Times are in seconds. */
function destinationOf({ email, origin, createdAt }: Suppression): object {
  return { EmailAddress: email, Reason: reasons[origin], LastUpdateTime: createdAt.getTime() / 1_000 };
}
