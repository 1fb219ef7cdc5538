import { Undocumented } from '#http/openapi';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parseEmailAddress, ValidationError } from '#kernel';
import { Suppressions } from '#suppressions';
import type { Suppression, SuppressionOrigin } from '#suppressions';
import { Body, Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { WireFields, momentOf, parameter } from '../wire-fields.js';

const maxChanges = 50;
const pageSize = 1_000;
/** A dump has no pages. */
const maxDumped = 20_000;

export const reasons: Readonly<Record<SuppressionOrigin, string>> = {
  bounce: 'HardBounce',
  complaint: 'SpamComplaint',
  manual: 'ManualSuppression',
};

/** Suppressed addresses. Here they are those of the team: a message stream has none of its own. */
@Controller('postmark/message-streams/:stream/suppressions')
@UseGuards(PrincipalGuard)
@Undocumented()
export class PostmarkSuppressionsController {
  constructor(private readonly suppressions: Suppressions) {}

  @Get('dump')
  @Requires('suppressions:read')
  async dump(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: Record<string, unknown>,
  ): Promise<{ Suppressions: object[] }> {
    const [reason, email, from, to] = ['SuppressionReason', 'EmailAddress', 'fromdate', 'todate'].map((name) =>
      parameter(query, name),
    );
    const origin = reason === undefined ? undefined : originOf(reason);
    const since = from === undefined ? undefined : momentOf('fromdate', from);
    const until = to === undefined ? undefined : momentOf('todate', to);
    const all = await this.all(teamId, origin, since);
    const wanted = all
      .filter((one) => email === undefined || one.email === email.toLowerCase())
      .filter(
        ({ createdAt }) => (since === undefined || createdAt >= since) && (until === undefined || createdAt <= until),
      );
    return {
      Suppressions: wanted.map((one) => ({
        EmailAddress: one.email,
        SuppressionReason: reasons[one.origin],
        Origin: one.origin === 'manual' ? 'Customer' : 'Recipient',
        CreatedAt: one.createdAt.toISOString(),
      })),
    };
  }

  @Post()
  @Requires('suppressions:write')
  @HttpCode(200)
  create(@CurrentPrincipal() { teamId }: Principal, @Body() body: unknown): Promise<{ Suppressions: object[] }> {
    return this.change(body, 'Suppressed', (emails) =>
      this.suppressions.add(emails.map((email) => ({ teamId, email, origin: 'manual' as const, sourceId: null }))),
    );
  }

  @Post('delete')
  @Requires('suppressions:write')
  @HttpCode(200)
  remove(@CurrentPrincipal() { teamId }: Principal, @Body() body: unknown): Promise<{ Suppressions: object[] }> {
    return this.change(body, 'Deleted', (emails) =>
      this.suppressions.removeAll(teamId, { emails: emails.map((email) => email.toLowerCase()) }),
    );
  }

  /** Each address has a result of its own. */
  private async change(
    body: unknown,
    status: string,
    change: (emails: readonly string[]) => Promise<unknown>,
  ): Promise<{ Suppressions: object[] }> {
    const asked = WireFields.of(body)
      .objects('Suppressions', maxChanges)
      .map((one) => one.text('EmailAddress') ?? '');
    const parsed = asked.map((email) => parseEmailAddress(email.trim())?.address);
    const valid = parsed.filter((address) => address !== undefined);
    if (valid.length > 0) await change(valid);
    return {
      Suppressions: asked.map((EmailAddress, at) =>
        parsed[at] === undefined
          ? { EmailAddress, Status: 'Failed', Message: 'An invalid email address was provided.' }
          : { EmailAddress, Status: status, Message: null },
      ),
    };
  }

  private async all(teamId: string, origin: SuppressionOrigin | undefined, since?: Date): Promise<Suppression[]> {
    const all: Suppression[] = [];
    let after: string | undefined;
    for (;;) {
      const page = await this.suppressions.list(teamId, { limit: pageSize, ...(after && { after }) }, origin);
      all.push(...page.items);
      const last = page.items.at(-1);
      if (!page.hasMore || last === undefined || (since !== undefined && last.createdAt < since)) return all;
      if (all.length >= maxDumped) {
        throw new ValidationError(`A dump has at most ${maxDumped} addresses. Narrow it by \`fromdate\`.`);
      }
      after = last.id;
    }
  }
}

function originOf(reason: string): SuppressionOrigin {
  const [origin] = Object.entries(reasons).find(([, name]) => name === reason) ?? [];
  if (origin === undefined) {
    throw new ValidationError(`\`SuppressionReason\` must be one of ${Object.values(reasons).join(', ')}.`);
  }
  return origin as SuppressionOrigin;
}
