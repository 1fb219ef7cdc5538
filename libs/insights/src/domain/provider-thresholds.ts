/** The document that a threshold comes from. */
export interface ThresholdSource {
  readonly title: string;
  readonly url: string;
}

/** From which share on a rate is a warning, and from which a problem; in percent. */
export interface Thresholds {
  readonly warning: number | null;
  readonly problem: number;
  readonly source: ThresholdSource;
}

const google: ThresholdSource = {
  title: 'Google: Email sender guidelines',
  url: 'https://support.google.com/a/answer/81126',
};
const yahoo: ThresholdSource = {
  title: 'Yahoo: Sender best practices',
  url: 'https://senders.yahooinc.com/best-practices/',
};
const amazon: ThresholdSource = {
  title: 'Amazon SES: Reputation metrics messages',
  url: 'https://docs.aws.amazon.com/ses/latest/dg/reputationdashboardmessages.html',
};
const ours: ThresholdSource = {
  title: 'Postrider: no provider publishes a figure',
  url: 'https://www.m3aawg.org/documents/en/m3aawg-senders-best-common-practices',
};

/** Google wants less than 0.10 % and never 0.30 %. Yahoo names 0.3 % alone. For others, who publish nothing, those of Google count. */
export function complaintThresholds(provider: string): Thresholds {
  if (provider === 'yahoo') return { warning: null, problem: 0.3, source: yahoo };
  return { warning: 0.1, problem: 0.3, source: google };
}

/** Providers publish none. Amazon reviews a sender from 5 % on, and pauses it from 10 % on. */
export const badAddressThresholds: Thresholds = { warning: 5, problem: 10, source: amazon };

export const spamThresholds: Thresholds = { warning: 1, problem: 5, source: ours };

/** Fewer messages say nothing about a rate. */
export const minForRate = 100;

export type RateStatus = 'good' | 'warning' | 'problem' | 'not_measured';

export interface MeasuredRate {
  readonly id: 'complaint_rate' | 'bad_address_rate' | 'spam_refusal_rate';
  readonly count: number;
  readonly of: number;
  /** In percent. Undefined if there is nothing to divide by. */
  readonly percent: number | undefined;
  readonly thresholds: Thresholds;
  readonly status: RateStatus;
}

export function measuredRate(id: MeasuredRate['id'], count: number, of: number, thresholds: Thresholds): MeasuredRate {
  const percent = of === 0 ? undefined : Math.min(100, (count / of) * 100);
  return { id, count, of, percent, thresholds, status: statusOf(percent, of, thresholds) };
}

function statusOf(percent: number | undefined, of: number, thresholds: Thresholds): RateStatus {
  return percent === undefined || of < minForRate ? 'not_measured' : statusOfPercent(percent, thresholds);
}

export function statusOfPercent(percent: number, { warning, problem }: Thresholds): RateStatus {
  if (percent >= problem) return 'problem';
  return warning !== null && percent >= warning ? 'warning' : 'good';
}
