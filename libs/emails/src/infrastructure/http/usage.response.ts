import { Shape, Field, Text, Whole, Always, WholeOrNull, Instant, InstantOrNull } from '#http/openapi';

@Shape('A count and its limit.')
class CountResponse {
  @Whole('Number of existing or used items.', 0) used!: number;
  @WholeOrNull('Maximum number; null or 2147483647 where there is no limit.', 1000) limit!: number | null;
}

@Shape('Messages of a period.', {
  limit: 'Maximum number of messages; null, or 2147483647 in `monthly`, where there is no quota.',
})
class EmailPeriodResponse extends CountResponse {
  @Whole('Messages sent.', 42) sent!: number;
  @Whole('Messages received.', 0) received!: number;
  @Instant('When the count starts again from zero.', '2026-12-01T00:00:00.000Z') resets_at!: string;
}

@Shape('Messages by period.')
class EmailUsageResponse {
  @Field(
    'Messages of the current day (UTC).',
    { type: EmailPeriodResponse },
    { used: 42, limit: 1000, sent: 42, received: 0, resets_at: '2026-12-01T00:00:00.000Z' },
  )
  daily!: EmailPeriodResponse;
  @Field(
    'Messages of the current month (UTC).',
    { type: EmailPeriodResponse },
    { used: 1042, limit: 2_147_483_647, sent: 1042, received: 0, resets_at: '2026-12-01T00:00:00.000Z' },
  )
  monthly!: EmailPeriodResponse;
}

@Shape('A count and its limit.')
class CreditsResponse extends CountResponse {
  @InstantOrNull('When the limit increases; null where it does not.') next_increase_at!: string | null;
}

@Shape('A count and its limit.')
class RunsResponse extends CountResponse {
  @InstantOrNull('When the count starts again from zero.', '2026-12-01T00:00:00.000Z') resets_at!: string | null;
}

@Shape('Requests per period.')
class RateLimitResponse {
  @Whole('Requests of all API keys of the team together.', 10) limit!: number;
  @Text('The period, such as `1s`.', '1s') duration!: string;
}

/** docs/wire-contract.md section 24 */
@Shape('Quotas and their use. Features that Postrider does not have are shown as unused.')
export class UsageResponse {
  @Always('usage') object!: 'usage';
  @Field('Messages, one for each recipient.', { type: EmailUsageResponse }) emails!: EmailUsageResponse;
  @Field('Contacts.', { type: CountResponse }, { used: 1250, limit: 2_147_483_647 })
  contacts!: CountResponse;
  @Field('Segments.', { type: CountResponse }, { used: 3, limit: 1000 }) segments!: CountResponse;
  @Field('Broadcasts, whatever their state.', { type: CountResponse }, { used: 0, limit: null })
  broadcasts!: CountResponse;
  @Field('Always unused.', { type: CreditsResponse }, { used: 0, limit: 0, next_increase_at: null })
  ai_credits!: CreditsResponse;
  @Field(
    'Automation runs that began in the current month (UTC).',
    { type: RunsResponse },
    { used: 12, limit: 2_147_483_647, resets_at: '2026-12-01T00:00:00.000Z' },
  )
  automation_runs!: RunsResponse;
  @Field('Domains of your team.', { type: CountResponse }, { used: 2, limit: null }) domains!: CountResponse;
  @Field('How many requests your team may make.', { type: RateLimitResponse }) rate_limit!: RateLimitResponse;
}
