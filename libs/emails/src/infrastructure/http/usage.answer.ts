import { ApiProperty, OneOf, Text, Whole } from '#platform/openapi';

const LimitOrNull = (): PropertyDecorator => ApiProperty({ type: 'integer', nullable: true });
const InstantOrNull = (): PropertyDecorator => ApiProperty({ type: String, format: 'date-time', nullable: true });

class CountAnswer {
  @Whole() used!: number;
  @LimitOrNull() limit!: number | null;
}

class EmailPeriodAnswer extends CountAnswer {
  @Whole() sent!: number;
  @Whole() received!: number;
  @ApiProperty({ type: String, format: 'date-time' }) resets_at!: string;
}

class EmailUsageAnswer {
  @ApiProperty({ type: EmailPeriodAnswer }) daily!: EmailPeriodAnswer;
  @ApiProperty({ type: EmailPeriodAnswer }) monthly!: EmailPeriodAnswer;
}

class CreditsAnswer extends CountAnswer {
  @InstantOrNull() next_increase_at!: string | null;
}

class RunsAnswer extends CountAnswer {
  @InstantOrNull() resets_at!: string | null;
}

class RateLimitAnswer {
  @Whole() limit!: number;
  @Text() duration!: string;
}

/** docs/wire-contract.md section 24 */
export class UsageAnswer {
  @OneOf('usage') object!: 'usage';
  @ApiProperty({ type: EmailUsageAnswer }) emails!: EmailUsageAnswer;
  @ApiProperty({ type: CountAnswer }) contacts!: CountAnswer;
  @ApiProperty({ type: CountAnswer }) segments!: CountAnswer;
  @ApiProperty({ type: CountAnswer }) broadcasts!: CountAnswer;
  @ApiProperty({ type: CreditsAnswer }) ai_credits!: CreditsAnswer;
  @ApiProperty({ type: RunsAnswer }) automation_runs!: RunsAnswer;
  @ApiProperty({ type: CountAnswer }) domains!: CountAnswer;
  @ApiProperty({ type: RateLimitAnswer }) rate_limit!: RateLimitAnswer;
}
