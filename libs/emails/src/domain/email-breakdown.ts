import { ValidationError } from '#kernel';

export const breakdownKeys = ['recipient_domain', 'domain', 'tag'] as const;
export type BreakdownKey = (typeof breakdownKeys)[number];

/** What became of the recipients that share a key: a domain of recipients, a sending domain, or a tag. */
export interface BreakdownRow {
  readonly key: string;
  /** Of a sending domain, as long as it exists. */
  readonly name: string | null;
  readonly recipients: number;
  readonly delivered: number;
  readonly delayed: number;
  readonly bounced: number;
  readonly complained: number;
  readonly failed: number;
  readonly suppressed: number;
}

export interface Breakdown {
  /** The most frequent keys, most frequent first. */
  readonly rows: readonly BreakdownRow[];
  /** Emails that were examined: the newest. */
  readonly examined: number;
  /** There are more emails in the range than were examined. */
  readonly isSample: boolean;
}

export const defaultBreakdownKey: BreakdownKey = 'recipient_domain';

export function parseBreakdownKey(value: unknown): BreakdownKey {
  if (value === undefined || value === '') return defaultBreakdownKey;
  const key = breakdownKeys.find((name) => name === value);
  if (key === undefined) throw new ValidationError(`The \`by\` must be one of: ${breakdownKeys.join(', ')}.`);
  return key;
}
