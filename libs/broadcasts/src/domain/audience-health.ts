import type { MeasuredAudience, MeasuredImport } from '#audience';

export const healthStatuses = ['warning', 'advice', 'good', 'not_measured'] as const;
export type HealthStatus = (typeof healthStatuses)[number];

export const healthFindings = ['recipients', 'suppressed', 'unengaged', 'never_mailed', 'recent_imports'] as const;
export type HealthFindingId = (typeof healthFindings)[number];

/** What speaks for and against sending to an audience. */
export interface HealthFinding {
  readonly id: HealthFindingId;
  readonly status: HealthStatus;
  /** The contacts that it is about. */
  readonly contacts: number;
  /** The contacts that they are a share of. */
  readonly of: number;
  /** The share in percent, to a tenth. */
  readonly percent: number;
  readonly evidence: string;
  readonly fix: string | null;
  readonly source: { readonly title: string; readonly url: string };
}

export interface AudienceHealth {
  readonly members: number;
  readonly recipients: number;
  /** Contacts that were looked at. Where they are not all, the numbers are estimated from them. */
  readonly measured: number;
  readonly isEstimated: boolean;
  /** The worst first. */
  readonly findings: readonly HealthFinding[];
  /** The largest first. */
  readonly imports: readonly MeasuredImport[];
}

/** Shares in percent from which on a finding is advice or a warning. */
export const healthThresholds = {
  suppressed: { advice: 2, warning: 5 },
  unengaged: { advice: 20, warning: 50 },
  never_mailed: { advice: 20, warning: 50 },
  recent_imports: { advice: 20, warning: 50 },
} as const;
/** Shares of fewer contacts say nothing. */
export const minJudged = 100;

const google = { title: 'Google: Email sender guidelines', url: 'https://support.google.com/a/answer/81126' };
const m3aawg = {
  title: 'M3AAWG: Sender Best Common Practices',
  url: 'https://www.m3aawg.org/documents/en/m3aawg-senders-best-common-practices',
};

const number = new Intl.NumberFormat('en');
const contactsText = (count: number): string => `${number.format(count)} ${count === 1 ? 'contact' : 'contacts'}`;

type Limits = { readonly advice: number; readonly warning: number };
type Judged = Pick<HealthFinding, 'status' | 'contacts' | 'of' | 'percent'> & { readonly share: string };

/** The limits of an audience as findings. Numbers of a sample are scaled to the whole audience. */
export function healthOf(measured: MeasuredAudience): AudienceHealth {
  const scale = measured.measured === 0 ? 0 : measured.members / measured.measured;
  const scaled = (count: number): number => Math.round(count * scale);
  const findings = [
    recipients(measured, scaled),
    suppressed(measured, scaled),
    unengaged(measured, scaled),
    neverMailed(measured, scaled),
    recentImports(measured, scaled),
  ];
  return {
    members: measured.members,
    recipients: scaled(measured.recipients),
    measured: measured.measured,
    isEstimated: measured.isEstimated,
    findings: findings.sort((a, b) => healthStatuses.indexOf(a.status) - healthStatuses.indexOf(b.status)),
    imports: measured.imports.map((one) => ({ ...one, contacts: scaled(one.contacts) })),
  };
}

type Finder = (measured: MeasuredAudience, scaled: (count: number) => number) => HealthFinding;

const recipients: Finder = (measured, scaled) => {
  const [contacts, of] = [scaled(measured.recipients), measured.members];
  const left = [
    [measured.unsubscribed, 'unsubscribed'],
    [measured.withoutTopic, 'did not choose the topic'],
  ] as const;
  const others = left.filter(([count]) => count > 0).map(([count, why]) => `${number.format(scaled(count))} ${why}`);
  const evidence =
    of === 0
      ? 'The segment has no contacts.'
      : `${number.format(contacts)} of ${contactsText(of)} would get it.` +
        (others.length === 0 ? '' : ` Of the others, ${others.join(', and ')}.`);
  const isEmpty = measured.recipients === 0;
  return {
    id: 'recipients',
    status: isEmpty ? 'warning' : 'good',
    evidence,
    source: m3aawg,
    contacts,
    of,
    percent: percentOf(measured.recipients, measured.measured),
    fix: isEmpty ? 'Choose another segment or topic: nobody would get this broadcast.' : null,
  };
};

const suppressed: Finder = (measured, scaled) => {
  const { bounce, complaint, manual } = measured.suppressed;
  const { share, ...judged } = judge(bounce + complaint, measured.measured, healthThresholds.suppressed, scaled);
  const byHand = manual === 0 ? '' : ` ${contactsText(scaled(manual))} suppressed by hand get nothing either.`;
  return {
    id: 'suppressed',
    ...judged,
    source: google,
    evidence:
      `${share} bounced before (${number.format(scaled(bounce))}) or complained (${number.format(scaled(complaint))}).` +
      ` They get nothing.${byHand}`,
    fix: fixOf(
      judged,
      'Find out where they came from, and leave out others of the same origin: they are likely to bounce too.',
    ),
  };
};

const unengaged: Finder = (measured, scaled) => {
  const base = { id: 'unengaged', source: m3aawg } as const;
  if (measured.engaged === 0) {
    const evidence = 'No open or click of these contacts is known. Tracking may be off.';
    const of = scaled(measured.recipients);
    return { ...base, status: 'not_measured', contacts: 0, of, percent: 0, evidence, fix: null };
  }
  const { share, ...judged } = judge(measured.silent, measured.recipients, healthThresholds.unengaged, scaled);
  return {
    ...base,
    ...judged,
    evidence: `${share} got at least five broadcasts in the last year, and never opened or clicked anything.`,
    fix: fixOf(judged, 'Ask them once whether they still want your mail, and leave out those who do not answer.'),
  };
};

const neverMailed: Finder = (measured, scaled) => {
  const { share, ...judged } = judge(measured.neverMailed, measured.recipients, healthThresholds.never_mailed, scaled);
  return {
    id: 'never_mailed',
    ...judged,
    source: m3aawg,
    evidence: `${share} never got any mail from you, so nobody knows whether their addresses work.`,
    fix: fixOf(judged, 'Send to a share first, which pauses by itself if too many emails bounce or people complain.'),
  };
};

const recentImports: Finder = (measured, scaled) => {
  const { share, ...judged } = judge(measured.imported, measured.recipients, healthThresholds.recent_imports, scaled);
  const [largest] = measured.imports;
  const named = largest === undefined ? '' : ` The largest import is ${nameOf(largest)}.`;
  return {
    id: 'recent_imports',
    ...judged,
    source: m3aawg,
    evidence: `${share} were imported in the last 30 days.${judged.contacts === 0 ? '' : named}`,
    fix: fixOf(judged, 'Make sure that these people asked for your mail, and send to a share first.'),
  };
};

/** By its file; else by when it came. */
function nameOf({ fileName, createdAt }: MeasuredImport): string {
  const day = createdAt.toISOString().slice(0, 10);
  return fileName === null ? `that of ${day}` : `"${fileName}" of ${day}`;
}

function percentOf(count: number, of: number): number {
  return of === 0 ? 0 : Math.round((count / of) * 1_000) / 10;
}

function statusOf(percent: number, { advice, warning }: Limits): HealthStatus {
  if (percent >= warning) return 'warning';
  return percent >= advice ? 'advice' : 'good';
}

function judge(count: number, of: number, limits: Limits, scaled: (count: number) => number): Judged {
  const percent = percentOf(count, of);
  const status = of < minJudged ? 'not_measured' : statusOf(percent, limits);
  const share = `${number.format(scaled(count))} of ${contactsText(scaled(of))} (${percent}%)`;
  return { status, contacts: scaled(count), of: scaled(of), percent, share };
}

function fixOf({ status }: Pick<HealthFinding, 'status'>, fix: string): string | null {
  return status === 'warning' || status === 'advice' ? fix : null;
}
