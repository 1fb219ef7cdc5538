import { delayReasons, GoogleDay, googleShares, GoogleShare, rejectReasons } from '../../domain/provider-report.js';

/** The metrics of a query of Postmaster Tools v2, named like the shares that they become. */
export const metricDefinitions = [
  metric('spam', 'SPAM_RATE'),
  ...(['spf', 'dkim', 'dmarc'] as const).map((type) => metric(type, 'AUTH_SUCCESS_RATE', `auth_type = "${type}"`)),
  ...(['inbound', 'outbound'] as const).map((direction) =>
    metric(`tls_${direction}`, 'TLS_ENCRYPTION_RATE', `traffic_direction = "${direction}"`),
  ),
  errors('rejected', 'error_type = "reject"'),
  errors('delayed', 'error_type = "temp_fail"'),
  ...rejectReasons.map((reason) =>
    errors(`rejected_${reason}`, `error_type = "reject" AND error_reason = "${reason}"`),
  ),
  ...delayReasons.map((reason) =>
    errors(`delayed_${reason}`, `error_type = "temp_fail" AND error_reason = "${reason}"`),
  ),
];

function metric(name: GoogleShare, standardMetric: string, filter?: string): object {
  return { name, baseMetric: { standardMetric }, filter };
}

function errors(name: GoogleShare, filter: string): object {
  return metric(name, 'DELIVERY_ERROR_RATE', filter);
}

/** A page of an answer. Undefined in its place if the body is none. */
export interface AnswerPage<Item> {
  readonly items: readonly Item[];
  readonly nextPage: string | undefined;
}

export interface DomainStat {
  readonly day: string;
  readonly share: GoogleShare;
  readonly value: number;
}

type Json = Readonly<Record<string, unknown>>;

/** The token of an answer to a grant (RFC 6749 section 5.1). */
export function readToken(body: string): string | undefined {
  const { access_token: token } = objectOf(body) ?? {};
  return typeof token === 'string' && /^[\x21-\x7e]{1,4096}$/.test(token) ? token : undefined;
}

/** The code of an error of OAuth, such as `invalid_grant`. */
export function readGrantError(body: string): string | undefined {
  const { error } = objectOf(body) ?? {};
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : undefined;
}

/** The domains of a page that may be read, in lower case. */
export function readDomains(body: string): AnswerPage<string> | undefined {
  const page = objectOf(body);
  if (page === undefined) return undefined;
  return { items: listOf(page.domains).flatMap(domainOf), nextPage: nextPageOf(page) };
}

/** The figures of a page. What is not understood is left out. */
export function readDomainStats(body: string): AnswerPage<DomainStat> | undefined {
  const page = objectOf(body);
  if (page === undefined) return undefined;
  return { items: listOf(page.domainStats).flatMap(statOf), nextPage: nextPageOf(page) };
}

/** One entry for each day, in their order. */
export function daysFrom(stats: readonly DomainStat[]): GoogleDay[] {
  const days = new Map<string, Partial<Record<GoogleShare, number>>>();
  for (const { day, share, value } of stats) days.set(day, { ...days.get(day), [share]: value });
  return [...days].map(([day, shares]) => ({ day, shares })).sort((a, b) => (a.day < b.day ? -1 : 1));
}

function domainOf({ name, permission, verificationState }: Json): string[] {
  if (permission === 'NONE' || verificationState === 'UNVERIFIED' || typeof name !== 'string') return [];
  const [, domain] = /^domains\/([a-zA-Z0-9.-]{1,253})$/.exec(name) ?? [];
  return domain === undefined ? [] : [domain.toLowerCase()];
}

function statOf({ metric: name, date, value }: Json): DomainStat[] {
  const share = googleShares.find((known) => known === name);
  const day = dayOf(isObject(date) ? date : {});
  const number = numberOf(isObject(value) ? value : {});
  return share === undefined || day === undefined || number === undefined ? [] : [{ day, share, value: number }];
}

function dayOf({ year, month, day }: Json): string | undefined {
  const [y, m, d] = [year, month, day].map((part) => (Number.isInteger(part) ? (part as number) : 0)) as [
    number,
    number,
    number,
  ];
  const moment = new Date(Date.UTC(y, m - 1, d));
  const isReal = y >= 2000 && y <= 9999 && moment.getUTCMonth() === m - 1 && moment.getUTCDate() === d;
  return isReal ? moment.toISOString().slice(0, 10) : undefined;
}

/** JSON of Google has floating point numbers as numbers, and 64-bit integers as texts. */
function numberOf({ doubleValue, floatValue, intValue }: Json): number | undefined {
  const value = [doubleValue, floatValue].find((each) => typeof each === 'number') ?? intValue;
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined;
}

function nextPageOf({ nextPageToken: token }: Json): string | undefined {
  return typeof token === 'string' && token !== '' && token.length <= 2_000 ? token : undefined;
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function objectOf(body: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
