/** Why Google refused mail for good. */
export const rejectReasons = [
  'bad_attachment',
  'bad_or_missing_ptr_record',
  'ip_in_rbls',
  'low_domain_reputation',
  'low_ip_reputation',
  'spammy_content',
  'stamp_policy_error',
  'other',
] as const;

/** Why Google put mail off. */
export const delayReasons = ['anomalous_traffic_pattern', 'other'] as const;

const measures = ['spam', 'spf', 'dkim', 'dmarc', 'tls_inbound', 'tls_outbound', 'rejected', 'delayed'] as const;

export type GoogleShare =
  (typeof measures)[number] | `rejected_${(typeof rejectReasons)[number]}` | `delayed_${(typeof delayReasons)[number]}`;

export const googleShares: readonly GoogleShare[] = [
  ...measures,
  ...rejectReasons.map((reason) => `rejected_${reason}` as const),
  ...delayReasons.map((reason) => `delayed_${reason}` as const),
];

/** What Google says about the mail of a domain on one day. Shares are between 0 and 1, and absent where Google has none. */
export interface GoogleDay {
  /** As `yyyy-mm-dd`. */
  readonly day: string;
  readonly shares: Readonly<Partial<Record<GoogleShare, number>>>;
}
