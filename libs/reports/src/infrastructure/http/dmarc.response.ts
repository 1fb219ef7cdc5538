import { ApiProperty, Flag, Id, Moment, OneOf, Text, TextOrNull, Texts, Whole } from '#platform/openapi';
import { timestamp } from '#platform/http';
import type { DmarcOverview } from '../../application/read-dmarc.query.js';
import type { Sender, SourceKind } from '../../domain/sender.js';

export class ReportPeriodResponse {
  @Text() from!: string;
  @Text() to!: string;
}

export class ReportRecordResponse {
  @Text() name!: string;
  @OneOf('TXT') type!: 'TXT';
  @Text() value!: string;
}

class DmarcReporterResponse {
  @Text() name!: string;
  @Whole() messages!: number;
  @Text() last_day!: string;
}

class DmarcTotalsResponse {
  @Whole() messages!: number;
  @Whole() aligned!: number;
  @Whole() quarantined!: number;
  @Whole() rejected!: number;
  @Whole() sources!: number;
  @Whole() days!: number;
}

class PublishedPolicyResponse {
  @TextOrNull() p!: string | null;
  @TextOrNull() sp!: string | null;
  @TextOrNull() pct!: string | null;
  @TextOrNull() adkim!: string | null;
  @TextOrNull() aspf!: string | null;
  @Moment() seen_at!: string;
}

class PolicyAdviceResponse {
  @OneOf('quarantine', 'reject') policy!: 'quarantine' | 'reject';
  @Flag() safe!: boolean;
  @Text() reason!: string;
}

class DmarcSourceResponse {
  @Text() id!: string;
  @OneOf('ours', 'forwarder', 'aligned', 'misaligned', 'unknown') kind!: SourceKind;
  @Flag() ours!: boolean;
  @Whole() messages!: number;
  @Whole() aligned!: number;
  @Whole() aligned_by_dkim!: number;
  @Whole() aligned_by_spf!: number;
  @Whole() failed!: number;
  @Whole() quarantined!: number;
  @Whole() rejected!: number;
  @Text() first_day!: string;
  @Text() last_day!: string;
  @Whole() days!: number;
  @Texts() header_from!: readonly string[];
  @Texts() proven_domains!: readonly string[];
  @Whole() reporters!: number;
}

export class DmarcResponse {
  @OneOf('domain_dmarc') object!: 'domain_dmarc';
  @Id() id!: string;
  @Text() name!: string;
  @ApiProperty({ type: ReportRecordResponse }) record!: ReportRecordResponse;
  @Text() failure_address!: string;
  @ApiProperty({ type: ReportPeriodResponse }) period!: ReportPeriodResponse;
  @ApiProperty({ type: DmarcTotalsResponse }) totals!: DmarcTotalsResponse;
  @ApiProperty({ type: PublishedPolicyResponse, nullable: true }) policy!: PublishedPolicyResponse | null;
  @ApiProperty({ type: [PolicyAdviceResponse] }) advice!: PolicyAdviceResponse[];
  @ApiProperty({ type: [DmarcReporterResponse] }) reporters!: DmarcReporterResponse[];
  @Flag() has_more!: boolean;
  @ApiProperty({ type: [DmarcSourceResponse] }) data!: DmarcSourceResponse[];
}

export function dmarcResponse(overview: DmarcOverview): DmarcResponse {
  const { domain, record, totals, published, senders } = overview;
  const { messages, aligned, quarantined, rejected, sources, days } = totals;
  return {
    object: 'domain_dmarc',
    id: domain.id,
    name: domain.name,
    record: { name: record.host, type: 'TXT', value: record.value },
    failure_address: overview.failureAddress,
    period: { from: overview.period.from, to: overview.period.to },
    totals: { messages, aligned, quarantined, rejected, sources, days },
    policy: published === undefined ? null : { ...published.policy, seen_at: timestamp(published.seenAt) },
    advice: [...overview.advice],
    reporters: totals.reporters.map(({ reporter, messages, lastDay }) => ({
      name: reporter,
      messages,
      last_day: lastDay,
    })),
    has_more: senders.hasMore,
    data: senders.items.map(sourceResponse),
  };
}

function sourceResponse(sender: Sender): DmarcSourceResponse {
  return {
    id: sender.source,
    kind: sender.kind,
    ours: sender.kind === 'ours',
    messages: sender.messages,
    aligned: sender.aligned,
    aligned_by_dkim: sender.alignedByDkim,
    aligned_by_spf: sender.alignedBySpf,
    failed: sender.messages - sender.aligned,
    quarantined: sender.quarantined,
    rejected: sender.rejected,
    first_day: sender.firstDay,
    last_day: sender.lastDay,
    days: sender.days,
    header_from: sender.headerFrom,
    proven_domains: sender.proven,
    reporters: sender.reporters,
  };
}
