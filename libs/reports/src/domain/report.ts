import { DomainError, ValidationError } from '#kernel';

/** What others report about a domain: aggregate DMARC reports, TLS reports, and reports on single messages that failed. */
export type DomainReport = DmarcReport | TlsReport | FailureReport;

interface ReportBase {
  /** The name of the organisation as the report gives it. */
  readonly organization: string;
  /** The reporter's own id of the report. The same id from the same reporter is the same report. */
  readonly reportId: string;
  readonly beginsAt: Date;
  readonly endsAt: Date;
}

export interface DmarcReport extends ReportBase {
  readonly kind: 'dmarc';
  /** The domain whose policy was applied. */
  readonly policyDomain: string;
  /** The policy as the reporter found it. */
  readonly policy: PublishedPolicy;
  /** Each distinct combination once. */
  readonly rows: readonly DmarcRow[];
  /** Records that could not be used. */
  readonly unusable: number;
}

export interface PublishedPolicy {
  readonly p: string | null;
  readonly sp: string | null;
  readonly pct: string | null;
  readonly adkim: string | null;
  readonly aspf: string | null;
}

/** Messages that one source sent and that got the same result. */
export interface DmarcRow {
  /** IP address; null for the sum of sources beyond the limit. */
  readonly source: string | null;
  /** The domain in the From field. */
  readonly headerFrom: string;
  readonly disposition: 'none' | 'quarantine' | 'reject';
  /** Whether an aligned signature, and an aligned SPF identity, passed. */
  readonly dkimAligned: boolean;
  readonly spfAligned: boolean;
  /** The signature that says most about the sender: an aligned one that passed, else one that passed, else any. */
  readonly dkim: AuthResult | null;
  readonly dkimSelector: string | null;
  readonly spf: AuthResult | null;
  /** Why the receiver did not follow the policy, such as `forwarded`. */
  readonly override: string | null;
  readonly messages: number;
}

export interface AuthResult {
  readonly domain: string;
  readonly result: string;
}

export interface TlsReport extends ReportBase {
  readonly kind: 'tls';
  readonly rows: readonly TlsRow[];
  readonly unusable: number;
}

/** Sessions with the same result. */
export interface TlsRow {
  readonly policyType: 'tlsa' | 'sts' | 'no-policy-found';
  readonly policyDomain: string;
  /** `success`, or a result type of RFC 8460 section 4.3. */
  readonly result: string;
  /** The mail host of ours that was connected to; null if the report does not say. */
  readonly mx: string | null;
  readonly reason: string | null;
  readonly sessions: number;
}

/** A report on one message. Nothing of the message itself is kept: neither addresses nor text. */
export interface FailureReport extends ReportBase {
  readonly kind: 'failure';
  readonly headerFrom: string;
  readonly source: string | null;
  /** `dmarc`, `dkim`, `spf`, … (RFC 6591 section 3.1). */
  readonly failure: string | null;
  /** What the receiver did with the message. */
  readonly outcome: string | null;
  readonly dkimDomain: string | null;
}

/** Why a report cannot be used. The texts are shown to the reporter's server, and to the team in the list of reports. */
export class UnusableReportError extends DomainError {
  constructor(message: string) {
    super('invalid', 'unusable_report', message);
  }
}

/** More reports came for a domain, or from one reporter, than a day may bring. */
export class TooManyReportsError extends DomainError {
  constructor() {
    super('limited', 'too_many_reports', 'Too many reports for this domain today, try again later');
  }
}

export const defaultDays = 30;
export const maxDays = 90;
const dayMs = 86_400_000;

/** Reads the `days` parameter. */
export function parseDays(value: unknown): number {
  if (value === undefined || value === '') return defaultDays;
  const days = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (days < 1 || days > maxDays) throw new ValidationError(`The \`days\` must be a number between 1 and ${maxDays}.`);
  return days;
}

/** The days up to and including today, as `yyyy-mm-dd`; `to` is tomorrow. */
export function lastDays(days: number, now: Date): { readonly from: string; readonly to: string } {
  const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
  return { from: dayOf(now.getTime() - (days - 1) * dayMs), to: dayOf(now.getTime() + dayMs) };
}
