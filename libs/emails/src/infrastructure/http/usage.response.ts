import { ApiProperty, OneOf, Text, Whole } from '#platform/openapi';

const LimitOrNull = (): PropertyDecorator => ApiProperty({ type: 'integer', nullable: true });
const InstantOrNull = (): PropertyDecorator => ApiProperty({ type: String, format: 'date-time', nullable: true });

class CountResponse {
  @Whole() used!: number;
  @LimitOrNull() limit!: number | null;
}

class EmailPeriodResponse extends CountResponse {
  @Whole() sent!: number;
  @Whole() received!: number;
  @ApiProperty({ type: String, format: 'date-time' }) resets_at!: string;
}

class EmailUsageResponse {
  @ApiProperty({ type: EmailPeriodResponse }) daily!: EmailPeriodResponse;
  @ApiProperty({ type: EmailPeriodResponse }) monthly!: EmailPeriodResponse;
}

class CreditsResponse extends CountResponse {
  @InstantOrNull() next_increase_at!: string | null;
}

class RunsResponse extends CountResponse {
  @InstantOrNull() resets_at!: string | null;
}

class RateLimitResponse {
  @Whole() limit!: number;
  @Text() duration!: string;
}

/** docs/wire-contract.md section 24 */
export class UsageResponse {
  @OneOf('usage') object!: 'usage';
  @ApiProperty({ type: EmailUsageResponse }) emails!: EmailUsageResponse;
  @ApiProperty({ type: CountResponse }) contacts!: CountResponse;
  @ApiProperty({ type: CountResponse }) segments!: CountResponse;
  @ApiProperty({ type: CountResponse }) broadcasts!: CountResponse;
  @ApiProperty({ type: CreditsResponse }) ai_credits!: CreditsResponse;
  @ApiProperty({ type: RunsResponse }) automation_runs!: RunsResponse;
  @ApiProperty({ type: CountResponse }) domains!: CountResponse;
  @ApiProperty({ type: RateLimitResponse }) rate_limit!: RateLimitResponse;
}
