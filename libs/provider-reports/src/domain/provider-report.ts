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

export const sndsFilters = ['green', 'yellow', 'red'] as const;

/** What Microsoft saw of an address on its last day with enough mail. */
export interface SndsActivity {
  readonly address: string;
  /** As `yyyy-mm-dd`. */
  readonly day: string;
  /** What its filter made of the mail. Green: less than 10 % was spam. Red: more than 90 %. */
  readonly filter: (typeof sndsFilters)[number];
  /** As Microsoft writes it, such as `< 0.1%`. */
  readonly complaintRate: string | undefined;
  readonly recipients: number;
  readonly trapHits: number;
}

/** Addresses whose mail Microsoft refuses. */
export interface SndsBlock {
  readonly first: string;
  readonly last: string;
  /** On one line; empty if Microsoft gives none. */
  readonly reason: string;
}

export interface SndsReport {
  readonly activity: readonly SndsActivity[];
  readonly blocks: readonly SndsBlock[];
}

/** An import that did not succeed. The message is for the operator, in plain words and without secrets. */
export class ProviderTrouble extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProviderTrouble';
  }
}
