import { Always, Flag, ListOf, OneOf, Shape, Text, TextOrNull, Whole } from '#http/openapi';
import { breakdownKeys } from '../../domain/email-breakdown.js';
import type { Breakdown, BreakdownKey } from '../../domain/email-breakdown.js';

@Shape('The recipients that share a key.')
export class BreakdownRowResponse {
  @Text('The domain of the recipients, the id of the sending domain, or the tag as `name:value`.', 'gmail.com')
  key!: string;
  @TextOrNull('Name of the sending domain; null for other keys.') name!: string | null;
  @Whole('Recipients, in whatever state.', 610) recipients!: number;
  @Whole('Those that were delivered.', 601) delivered!: number;
  @Whole('Those that wait after a deferral.', 2) delayed!: number;
  @Whole('Those that bounced.', 6) bounced!: number;
  @Whole('Those that complained.', 1) complained!: number;
  @Whole('Those that failed.', 0) failed!: number;
  @Whole('Those that were suppressed.', 0) suppressed!: number;
}

@Shape('What became of recipients, by what they share.')
export class BreakdownResponse {
  @Always('breakdown') object!: 'breakdown';
  @OneOf(breakdownKeys, 'What they share.', 'recipient_domain') by!: BreakdownKey;
  @Whole('Emails that were examined: the newest of the range, at most 20,000.', 1042) examined!: number;
  @Flag('Whether the range has more emails than were examined.', false) is_sample!: boolean;
  @ListOf(BreakdownRowResponse, 'The 25 most frequent keys, most frequent first.') data!: BreakdownRowResponse[];
}

export function breakdownResponse(by: BreakdownKey, { rows, examined, isSample }: Breakdown): BreakdownResponse {
  return { object: 'breakdown', by, examined, is_sample: isSample, data: rows.map((row) => ({ ...row })) };
}
