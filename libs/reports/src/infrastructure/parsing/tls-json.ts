import { TlsReport, TlsRow } from '../../domain/report.js';
import { DistinctRows } from './distinct-rows.js';
import { NotAReportError } from './inflate.js';
import { count, domainName, shown, word } from './values.js';

const maxPolicies = 1_000;
const maxDetails = 100_000;
const maxMx = 5;

type Row = Omit<TlsRow, 'sessions'>;
type Json = Readonly<Record<string, unknown>>;

/** Reads a TLS report (RFC 8460 section 4.4). */
export function readTlsJson(bytes: Buffer): TlsReport {
  const report = parsed(bytes);
  const range = objectOf(report['date-range']);
  const [beginsAt, endsAt] = [dateOf(range['start-datetime']), dateOf(range['end-datetime'])];
  const reportId = textOf(report['report-id']);
  if (reportId === undefined || beginsAt === undefined || endsAt === undefined) {
    throw new NotAReportError('The report lacks its id or the time that it is about');
  }
  const rows = new DistinctRows<Row>(({ policyType, policyDomain, result }) => ({
    policyType,
    policyDomain,
    result,
    mx: null,
    reason: null,
  }));
  let unusable = 0;
  let details = 0;
  const policies = listOf(report['policies']);
  if (policies.length > maxPolicies) throw new NotAReportError('The report has too many policies');
  for (const policy of policies) {
    for (const found of rowsOf(objectOf(policy))) {
      if (++details > maxDetails) throw new NotAReportError('The report has too many details');
      if (found === undefined) unusable++;
      else if (found.sessions > 0) rows.add(found.row, found.sessions);
    }
  }
  const all = rows.all().map(({ row, count: sessions }) => ({ ...row, sessions }));
  const organization = shown(textOf(report['organization-name']) ?? '');
  return { kind: 'tls', organization, reportId: shown(reportId), beginsAt, endsAt, rows: all, unusable };
}

function* rowsOf(entry: Json): Generator<{ readonly row: Row; readonly sessions: number } | undefined> {
  const policy = objectOf(entry['policy']);
  const type = word(textOf(policy['policy-type']));
  const policyDomain = domainName(textOf(policy['policy-domain']));
  const policyType = type === 'tlsa' || type === 'sts' ? type : 'no-policy-found';
  const summary = objectOf(entry['summary']);
  const succeeded = count(numberOf(summary['total-successful-session-count']));
  if (policyDomain === undefined || succeeded === undefined) {
    yield undefined;
    return;
  }
  const base = { policyType, policyDomain } as const;
  const hosts = listOf(policy['mx-host'] ?? []).slice(0, maxMx);
  const onlyHost = hosts.length === 1 ? (domainName(textOf(hosts[0])) ?? null) : null;
  yield { row: { ...base, result: 'success', mx: onlyHost, reason: null }, sessions: succeeded };
  let explained = 0;
  for (const detail of listOf(entry['failure-details'] ?? [])) {
    const { 'result-type': type, 'failed-session-count': failed, ...rest } = objectOf(detail);
    const [result, sessions] = [word(textOf(type)), count(numberOf(failed))];
    if (result === undefined || sessions === undefined) {
      yield undefined;
      continue;
    }
    explained += sessions;
    const mx = domainName(textOf(rest['receiving-mx-hostname'])) ?? onlyHost;
    const reason = textOf(rest['failure-reason-code']);
    yield { row: { ...base, result, mx, reason: reason === undefined ? null : shown(reason) }, sessions };
  }
  const failures = count(numberOf(summary['total-failure-session-count'])) ?? 0;
  const row = { ...base, result: 'unspecified', mx: onlyHost, reason: null };
  if (failures > explained) yield { row, sessions: failures - explained };
}

function parsed(bytes: Buffer): Json {
  try {
    return objectOf(JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, '')));
  } catch {
    throw new NotAReportError('The report is not valid JSON');
  }
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** Some reporters write a single value although the standard has a list. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, 1_000) : undefined;
}

function numberOf(value: unknown): string | number | undefined {
  return typeof value === 'number' || typeof value === 'string' ? value : undefined;
}

function dateOf(value: unknown): Date | undefined {
  const at = new Date(textOf(value) ?? '');
  return Number.isNaN(at.getTime()) ? undefined : at;
}
