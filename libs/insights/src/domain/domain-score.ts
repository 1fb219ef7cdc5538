import { OutcomeSummary, rateOf } from './provider-summary.js';
import { MeasuredRate } from './provider-thresholds.js';

/** A part of the score. The score is the sum of the points of its parts, and nothing else. */
export interface ScorePart {
  readonly id: 'authentication' | 'complaints' | 'addresses' | 'spam' | 'encryption' | 'alignment';
  readonly points: number;
  readonly max: number;
  /** What was seen. */
  readonly evidence: string;
  /** What would raise the points; null where nothing is missing. */
  readonly fix: string | null;
}

export interface DomainScore {
  readonly value: number;
  readonly parts: readonly ScorePart[];
}

/** What the score is made of, beside the counters. */
export interface ScoreFacts {
  readonly summary: OutcomeSummary;
  /** Records of the domain that mail hosts ask for, by whether the last look-up found them. */
  readonly records: readonly { readonly kind: string; readonly isFound: boolean }[];
  readonly dmarc: { readonly messages: number; readonly aligned: number };
}

/**
 * The maxima of all parts add up to 100. What could not be measured counts in full, and its part says so. Undefined where no mail was
 * delivered or refused, because there is nothing to judge.
 */
export function scoreOf({ summary, records, dmarc }: ScoreFacts): DomainScore | undefined {
  if (summary.delivered + summary.bounced + summary.deferred === 0) return undefined;
  const parts = [
    authentication(records),
    ofRate('complaints', 25, rateOf(summary, 'complaint_rate'), 'people who got it reported it as spam', {
      fix: 'Send to people who asked for it, and make it easy to unsubscribe.',
    }),
    ofRate('addresses', 20, rateOf(summary, 'bad_address_rate'), 'went to addresses that do not exist', {
      fix: 'Confirm addresses when people enter them, and leave out old lists.',
    }),
    ofRate(
      'spam',
      20,
      rateOf(summary, 'spam_refusal_rate'),
      'were refused as spam or for the reputation of the sender',
      {
        fix: 'See the replies of the providers below.',
      },
    ),
    encryption(summary),
    alignment(dmarc),
  ];
  return { value: parts.reduce((sum, { points }) => sum + points, 0), parts };
}

const recordPoints = [
  { kind: 'DKIM', max: 10 },
  { kind: 'SPF', max: 5 },
  { kind: 'DMARC', max: 5 },
] as const;

function authentication(records: ScoreFacts['records']): ScorePart {
  const max = recordPoints.reduce((sum, record) => sum + record.max, 0);
  if (records.length === 0) {
    const evidence = 'Not measured, so it counts in full: this domain needs no records.';
    return { id: 'authentication', max, points: max, evidence, fix: null };
  }
  const missing = recordPoints.filter(({ kind }) => {
    const known = records.filter((record) => record.kind === kind);
    return known.length > 0 && !known.every(({ isFound }) => isFound);
  });
  const names = missing.map(({ kind }) => kind).join(', ');
  return {
    id: 'authentication',
    max,
    points: max - missing.reduce((sum, record) => sum + record.max, 0),
    evidence:
      missing.length === 0
        ? 'The last look-up found the DKIM, SPF and DMARC records.'
        : `The last look-up did not find, or did not accept: ${names}.`,
    fix: missing.length === 0 ? null : 'Publish the records shown on the page of the domain.',
  };
}

/** In full up to half of the warning, or a third of the problem; nothing from the problem on; in proportion between the two. */
function ofRate(
  id: ScorePart['id'],
  max: number,
  { count, of, percent, status, thresholds }: MeasuredRate,
  what: string,
  { fix }: { readonly fix: string },
): ScorePart {
  if (percent === undefined || status === 'not_measured') {
    return { id, max, points: max, evidence: `Not measured, so it counts in full: only ${of} messages.`, fix: null };
  }
  const inFull = thresholds.warning === null ? thresholds.problem / 3 : thresholds.warning / 2;
  const share = Math.min(1, Math.max(0, (thresholds.problem - percent) / (thresholds.problem - inFull)));
  const points = Math.round(max * share);
  const evidence = `${count} of ${of} messages (${percentText(percent)}%) ${what}. Nothing is left from ${thresholds.problem}% on.`;
  return { id, max, points, evidence, fix: points === max ? null : fix };
}

function encryption({ tls }: OutcomeSummary): ScorePart {
  const max = 10;
  const encrypted = tls.verified + tls.opportunistic;
  const all = encrypted + tls.none;
  if (all === 0) {
    return { id: 'encryption', max, points: max, evidence: 'Not measured, so it counts in full.', fix: null };
  }
  const points = Math.round((max * encrypted) / all);
  const evidence = `${encrypted} of ${all} deliveries were encrypted.`;
  const fix = 'The other hosts offer no encryption. Set TLS of the domain to enforced if such mail must not be sent.';
  return { id: 'encryption', max, points, evidence, fix: points === max ? null : fix };
}

function alignment({ messages, aligned }: ScoreFacts['dmarc']): ScorePart {
  const max = 5;
  if (messages === 0) {
    const evidence = 'Not measured, so it counts in full: no DMARC reports came.';
    return { id: 'alignment', max, points: max, evidence, fix: null };
  }
  const points = Math.round((max * aligned) / messages);
  const evidence = `${aligned} of ${messages} messages that receivers reported passed DMARC.`;
  const fix = 'See who sends as this domain, in its DMARC reports.';
  return { id: 'alignment', max, points, evidence, fix: points === max ? null : fix };
}

function percentText(percent: number): string {
  return String(Math.round(percent * 100) / 100);
}
