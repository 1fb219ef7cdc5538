import { spamCategories, timeQuantile } from './provider-counts.js';
import {
  badAddressThresholds,
  complaintThresholds,
  MeasuredRate,
  measuredRate,
  spamThresholds,
} from './provider-thresholds.js';

/** A counter over all days of a period. */
export interface KindCount {
  readonly provider: string;
  readonly kind: string;
  readonly count: number;
  readonly reply: string | null;
  readonly emailId: string | null;
}

/** What became of mail, in the figures that are kept for each day. */
export interface OutcomeFigures {
  readonly delivered: number;
  readonly deferred: number;
  readonly bounced: number;
  readonly complained: number;
  /** By people, each message once. */
  readonly opened: number;
  readonly unsubscribed: number;
}

export interface DayCount extends OutcomeFigures {
  /** `yyyy-mm-dd`, in UTC. */
  readonly day: string;
  readonly provider: string;
}

export interface RefusalCount {
  readonly outcome: 'deferred' | 'bounced';
  readonly category: string;
  readonly count: number;
  /** The last reply, without addresses, and the email that got it. */
  readonly reply: string | null;
  readonly emailId: string | null;
}

/** What became of mail in a period: of all providers, or of one. */
export interface OutcomeSummary extends OutcomeFigures {
  /** Deliveries by how the connection was protected. */
  readonly tls: { readonly verified: number; readonly opportunistic: number; readonly none: number };
  /** Seconds. */
  readonly timeToDeliver: { readonly p50: number | undefined; readonly p95: number | undefined };
  /** The most frequent first. */
  readonly refusals: readonly RefusalCount[];
  readonly rates: readonly MeasuredRate[];
}

/** `provider` decides whose thresholds count; undefined for all together. */
export function summaryOf(counts: readonly KindCount[], provider?: string): OutcomeSummary {
  const sum = (matches: (kind: string) => boolean): number =>
    counts.reduce((total, { kind, count }) => (matches(kind) ? total + count : total), 0);
  const of = (name: string): number => sum((kind) => kind === name);
  const delivered = of('delivered');
  const deferred = sum((kind) => kind.startsWith('deferred/'));
  const bounced = sum((kind) => kind.startsWith('bounced/'));
  const complained = of('complained');
  const asSpam = sum((kind) => spamCategories.includes(kind.slice(kind.indexOf('/') + 1)));
  return {
    delivered,
    deferred,
    bounced,
    complained,
    opened: of('opened'),
    unsubscribed: of('unsubscribed'),
    tls: { verified: of('tls/verified'), opportunistic: of('tls/opportunistic'), none: of('tls/none') },
    timeToDeliver: timesOf(counts),
    refusals: refusalsOf(counts),
    rates: [
      measuredRate('complaint_rate', complained, delivered, complaintThresholds(provider ?? '')),
      measuredRate('bad_address_rate', of('bounced/bad-address'), delivered + bounced, badAddressThresholds),
      measuredRate('spam_refusal_rate', asSpam, delivered + bounced + deferred, spamThresholds),
    ],
  };
}

export function rateOf({ rates }: OutcomeSummary, id: MeasuredRate['id']): MeasuredRate {
  return rates.find((rate) => rate.id === id) as MeasuredRate;
}

function timesOf(counts: readonly KindCount[]): OutcomeSummary['timeToDeliver'] {
  const times = new Map<number, number>();
  for (const { kind, count } of counts) {
    if (!kind.startsWith('time/')) continue;
    const no = Number(kind.slice('time/'.length));
    times.set(no, (times.get(no) ?? 0) + count);
  }
  return { p50: timeQuantile(times, 0.5), p95: timeQuantile(times, 0.95) };
}

function refusalsOf(counts: readonly KindCount[]): RefusalCount[] {
  const refusals = new Map<string, RefusalCount>();
  for (const { kind, count, reply, emailId } of counts) {
    const [outcome, category] = kind.split('/');
    if ((outcome !== 'deferred' && outcome !== 'bounced') || category === undefined) continue;
    const before = refusals.get(kind);
    refusals.set(kind, {
      outcome,
      category,
      count: (before?.count ?? 0) + count,
      reply: reply ?? before?.reply ?? null,
      emailId: reply === null ? (before?.emailId ?? null) : emailId,
    });
  }
  return [...refusals.values()].sort((a, b) => b.count - a.count || (a.category < b.category ? -1 : 1));
}
