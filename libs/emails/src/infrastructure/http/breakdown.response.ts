import { ApiProperty, Flag, OneOf, Text, TextOrNull, Whole } from '#platform/openapi';
import { breakdownKeys } from '../../domain/email-breakdown.js';
import type { Breakdown, BreakdownKey } from '../../domain/email-breakdown.js';

export class BreakdownRowResponse {
  @Text() key!: string;
  @TextOrNull() name!: string | null;
  @Whole() recipients!: number;
  @Whole() delivered!: number;
  @Whole() delayed!: number;
  @Whole() bounced!: number;
  @Whole() complained!: number;
  @Whole() failed!: number;
  @Whole() suppressed!: number;
}

export class BreakdownResponse {
  @OneOf('breakdown') object!: 'breakdown';
  @OneOf(...breakdownKeys) by!: BreakdownKey;
  @Whole() examined!: number;
  @Flag() is_sample!: boolean;
  @ApiProperty({ type: [BreakdownRowResponse] }) data!: BreakdownRowResponse[];
}

export function breakdownResponse(by: BreakdownKey, { rows, examined, isSample }: Breakdown): BreakdownResponse {
  return { object: 'breakdown', by, examined, is_sample: isSample, data: rows.map((row) => ({ ...row })) };
}
