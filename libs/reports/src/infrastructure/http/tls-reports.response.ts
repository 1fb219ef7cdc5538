import { toResponse } from '#http/server';
import { Always, Field, Flag, Id, ListOf, OneOf, Shape, Text, TextOrNull, Texts, Whole } from '#http/openapi';
import type { TlsOverview } from '../../application/read-tls-reports.query.js';
import { tlsAdvice } from '../../domain/policy-advice.js';
import { ReportPeriodResponse, ReportRecordResponse, domainId } from './dmarc.response.js';

@Shape('All sessions that senders counted.')
class TlsTotalsResponse {
  @Whole('Sessions that were encrypted as the policy asks.', 5326) succeeded!: number;
  @Whole('Sessions that were not.', 3) failed!: number;
  @Whole('Number of reporters.', 2) reporters!: number;
}

@Shape('Sessions with the same result.')
class TlsResultResponse {
  @Text('Identifies the result in this list.', '5d41402abc4b2a76b9719d911017c592') id!: string;
  @Text('`success`, or a result type of RFC 8460.', 'certificate-expired') result!: string;
  @OneOf(['tlsa', 'sts', 'no-policy-found'], 'The kind of policy: DANE (`tlsa`), MTA-STS (`sts`) or none.', 'sts')
  policy_type!: string;
  @Text('The domain of the policy.', 'acme.example') policy_domain!: string;
  @TextOrNull('The mail host; null if reports do not say.', 'mx.acme.example') mx!: string | null;
  @Whole('Number of sessions.', 3) sessions!: number;
  @Text('First day, as `yyyy-mm-dd`, in UTC.', '2026-11-12') first_day!: string;
  @Text('Last day, as `yyyy-mm-dd`, in UTC.', '2026-11-12') last_day!: string;
  @Texts('Reasons that reporters give, at most 5.', []) reasons!: readonly string[];
  @Whole('Number of reporters.', 1) reporters!: number;
  @Text('What it means, and what to do.', 'The certificate had expired: renew it.') advice!: string;
}

@Shape('How mail to a domain is encrypted.')
export class TlsReportsResponse {
  @Always('domain_tls_reports') object!: 'domain_tls_reports';
  @Id('Id of the domain.', domainId) id!: string;
  @Text('Name of the domain.', 'acme.example') name!: string;
  @Field(
    'The record that asks for these reports.',
    { type: ReportRecordResponse },
    { name: '_smtp._tls.acme.example', type: 'TXT', value: 'v=TLSRPTv1; rua=mailto:tls-reports@send.acme.example;' },
  )
  record!: ReportRecordResponse;
  @Field('The days that are added up.', { type: ReportPeriodResponse }) period!: ReportPeriodResponse;
  @Field('All results together.', { type: TlsTotalsResponse }) totals!: TlsTotalsResponse;
  @Flag('Whether the list goes on.', false) has_more!: boolean;
  @ListOf(TlsResultResponse, 'The results of this page.') data!: TlsResultResponse[];
}

export function tlsReportsResponse({ domain, record, period, totals, results }: TlsOverview): TlsReportsResponse {
  return {
    object: 'domain_tls_reports',
    id: domain.id,
    name: domain.name,
    record: { name: record.host, type: 'TXT', value: record.value },
    period: { from: period.from, to: period.to },
    totals,
    has_more: results.hasMore,
    data: results.items.map((found) => toResponse(TlsResultResponse, found, { advice: tlsAdvice(found.result) })),
  };
}
