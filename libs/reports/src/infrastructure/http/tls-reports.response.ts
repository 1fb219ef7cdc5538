import { ApiProperty, Flag, Id, OneOf, Text, TextOrNull, Texts, Whole } from '#platform/openapi';
import type { TlsOverview } from '../../application/read-tls-reports.query.js';
import { tlsAdvice } from '../../domain/tls-advice.js';
import { ReportPeriodResponse, ReportRecordResponse } from './dmarc.response.js';

class TlsTotalsResponse {
  @Whole() succeeded!: number;
  @Whole() failed!: number;
  @Whole() reporters!: number;
}

class TlsResultResponse {
  @Text() id!: string;
  @Text() result!: string;
  @OneOf('tlsa', 'sts', 'no-policy-found') policy_type!: string;
  @Text() policy_domain!: string;
  @TextOrNull() mx!: string | null;
  @Whole() sessions!: number;
  @Text() first_day!: string;
  @Text() last_day!: string;
  @Texts() reasons!: readonly string[];
  @Whole() reporters!: number;
  @Text() advice!: string;
}

export class TlsReportsResponse {
  @OneOf('domain_tls_reports') object!: 'domain_tls_reports';
  @Id() id!: string;
  @Text() name!: string;
  @ApiProperty({ type: ReportRecordResponse }) record!: ReportRecordResponse;
  @ApiProperty({ type: ReportPeriodResponse }) period!: ReportPeriodResponse;
  @ApiProperty({ type: TlsTotalsResponse }) totals!: TlsTotalsResponse;
  @Flag() has_more!: boolean;
  @ApiProperty({ type: [TlsResultResponse] }) data!: TlsResultResponse[];
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
    data: results.items.map((found) => ({
      id: found.id,
      result: found.result,
      policy_type: found.policyType,
      policy_domain: found.policyDomain,
      mx: found.mx,
      sessions: found.sessions,
      first_day: found.firstDay,
      last_day: found.lastDay,
      reasons: found.reasons,
      reporters: found.reporters,
      advice: tlsAdvice(found.result),
    })),
  };
}
