import { timestamp, toResponse } from '#http/server';
import { Always, Field, Flag, Id, ListOf, Moment, OneOf, Shape, Text, TextOrNull, Texts, Whole } from '#http/openapi';
import type { DmarcOverview } from '../../application/read-dmarc.query.js';
import type { ReportedSender, SourceKind } from '../../domain/sender.js';

export const domainId = '0193a1ee-7c31-7a52-8b0e-5d1f3a7c9e20';

@Shape('Days that are added up.')
export class ReportPeriodResponse {
  @Text('First day, as `yyyy-mm-dd`, in UTC.', '2026-11-01') from!: string;
  @Text('The day behind the last one, as `yyyy-mm-dd`, in UTC.', '2026-12-01') to!: string;
}

@Shape('The DNS record that asks for these reports.')
export class ReportRecordResponse {
  @Text('Full name of the record.', '_dmarc.acme.example') name!: string;
  @Always('TXT', 'Type of the record.') type!: 'TXT';
  @Text('Recommended value.', 'v=DMARC1; p=none; rua=mailto:dmarc-reports@send.acme.example;') value!: string;
}

@Shape('An organisation that reports.')
class DmarcReporterResponse {
  @Text('Its domain, proven by SPF or DKIM.', 'mailbox.example') name!: string;
  @Whole('Messages that it counted.', 18_234) messages!: number;
  @Text('Last day that it reported, as `yyyy-mm-dd`, in UTC.', '2026-11-29') last_day!: string;
}

@Shape('All messages with this domain in their From field that receivers counted.')
class DmarcTotalsResponse {
  @Whole('Number of messages.', 18_234) messages!: number;
  @Whole('Messages for which DMARC passed.', 18_190) aligned!: number;
  @Whole('Messages that receivers treated as suspicious because of the policy.', 12) quarantined!: number;
  @Whole('Messages that receivers refused because of the policy.', 0) rejected!: number;
  @Whole('Number of sources.', 3) sources!: number;
  @Whole('Number of days with reports.', 30) days!: number;
}

@Shape('The policy as a reporter found it in the DNS last.')
class PublishedPolicyResponse {
  @TextOrNull('Policy for the domain.', 'none') p!: string | null;
  @TextOrNull('Policy for its subdomains; null if it is that of the domain.') sp!: string | null;
  @TextOrNull('Part of the messages that the policy is for, in percent.', '100') pct!: string | null;
  @TextOrNull('Alignment of DKIM: `r` (relaxed) or `s` (strict).', 'r') adkim!: string | null;
  @TextOrNull('Alignment of SPF: `r` (relaxed) or `s` (strict).', 'r') aspf!: string | null;
  @Moment('End of the period of that report.', '2026-11-29 23:59:59+00') seen_at!: string;
}

@Shape('Whether a policy is safe now.')
class PolicyAdviceResponse {
  @OneOf(['quarantine', 'reject'], 'The policy.', 'quarantine') policy!: 'quarantine' | 'reject';
  @Flag('Whether it would cost no mail that should arrive, as far as the reports show.', true) safe!: boolean;
  @Text(
    'Why.',
    'In 30 days with 18234 messages, the mail of this service and of other known senders passed. 44 ' +
      'messages of unknown senders would go to spam folders.',
  )
  reason!: string;
}

@Shape('A source of mail with this domain in its From field.')
class DmarcSourceResponse {
  @Text('Its IP address; `others` for the sum of sources that are not told apart.', '192.0.2.10') id!: string;
  @OneOf(
    ['ours', 'forwarder', 'aligned', 'misaligned', 'unknown'],
    '`ours`: this service. `forwarder`: it passes mail of this service on. `aligned`: another service ' +
      "that sends with the domain's permission. `misaligned`: it proves another domain, like a service that " +
      'is not set up. `unknown`: it proves nothing.',
    'ours',
  )
  kind!: SourceKind;
  @Flag('Whether this service sends from it.', true) ours!: boolean;
  @Whole('Number of messages.', 18_190) messages!: number;
  @Whole('Messages for which DMARC passed.', 18_190) aligned!: number;
  @Whole('Messages for which it passed by DKIM.', 18_190) aligned_by_dkim!: number;
  @Whole('Messages for which it passed by SPF.', 18_190) aligned_by_spf!: number;
  @Whole('Messages for which it did not pass.', 0) failed!: number;
  @Whole('Messages that receivers treated as suspicious.', 0) quarantined!: number;
  @Whole('Messages that receivers refused.', 0) rejected!: number;
  @Text('First day with messages, as `yyyy-mm-dd`, in UTC.', '2026-11-01') first_day!: string;
  @Text('Last day with messages, as `yyyy-mm-dd`, in UTC.', '2026-11-29') last_day!: string;
  @Whole('Number of days with messages.', 29) days!: number;
  @Texts('Domains in the From field, at most 5.', ['acme.example']) header_from!: readonly string[];
  @Texts('Domains that SPF or DKIM proved, at most 5.', ['acme.example']) proven_domains!: readonly string[];
  @Whole('Number of reporters.', 1) reporters!: number;
}

@Shape('Who sends as a domain.')
export class DmarcResponse {
  @Always('domain_dmarc') object!: 'domain_dmarc';
  @Id('Id of the domain.', domainId) id!: string;
  @Text('Name of the domain.', 'acme.example') name!: string;
  @Field('The record that asks for these reports. A record of yours needs its `rua` only.', {
    type: ReportRecordResponse,
  })
  record!: ReportRecordResponse;
  @Text(
    'Address for reports on single messages, for the `ruf` of the record, if you want them.',
    'dmarc-failures@send.acme.example',
  )
  failure_address!: string;
  @Field('The days that are added up.', { type: ReportPeriodResponse }) period!: ReportPeriodResponse;
  @Field('All sources together.', { type: DmarcTotalsResponse }) totals!: DmarcTotalsResponse;
  @Field('The policy that is published; null if no reporter has seen one.', {
    type: PublishedPolicyResponse,
    nullable: true,
  })
  policy!: PublishedPolicyResponse | null;
  @ListOf(PolicyAdviceResponse, 'Whether `p=quarantine` and `p=reject` are safe now.', [
    {
      policy: 'quarantine',
      safe: true,
      reason:
        'In 30 days with 18234 messages, the mail of this service and of other known senders passed. 44 ' +
        'messages of unknown senders would go to spam folders.',
    },
    {
      policy: 'reject',
      safe: true,
      reason:
        'In 30 days with 18234 messages, the mail of this service and of other known senders passed. 44 ' +
        'messages of unknown senders would be refused.',
    },
  ])
  advice!: PolicyAdviceResponse[];
  @ListOf(DmarcReporterResponse, 'Who reports, at most 50.') reporters!: DmarcReporterResponse[];
  @Flag('Whether the list goes on.', true) has_more!: boolean;
  @ListOf(DmarcSourceResponse, 'The sources of this page.') data!: DmarcSourceResponse[];
}

export function dmarcResponse(overview: DmarcOverview): DmarcResponse {
  const { messages, aligned, quarantined, rejected, sources, days } = overview.totals;
  return toResponse(DmarcResponse, overview, {
    id: overview.domain.id,
    name: overview.domain.name,
    record: { name: overview.record.host, type: 'TXT', value: overview.record.value },
    period: { from: overview.period.from, to: overview.period.to },
    totals: { messages, aligned, quarantined, rejected, sources, days },
    policy:
      overview.published === undefined
        ? null
        : { ...overview.published.policy, seen_at: timestamp(overview.published.seenAt) },
    reporters: overview.totals.reporters.map(({ reporter, messages, lastDay }) => ({
      name: reporter,
      messages,
      last_day: lastDay,
    })),
    has_more: overview.senders.hasMore,
    data: overview.senders.items.map(sourceResponse),
  });
}

const sourceResponse = (sender: ReportedSender): DmarcSourceResponse =>
  toResponse(DmarcSourceResponse, sender, {
    id: sender.source,
    ours: sender.kind === 'ours',
    failed: sender.messages - sender.aligned,
    proven_domains: sender.proven,
  });
