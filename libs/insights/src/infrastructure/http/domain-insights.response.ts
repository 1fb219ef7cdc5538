import { toResponse } from '#http/server';
import {
  Always,
  Amount,
  Field,
  Id,
  IdOrNull,
  Instant,
  ListOf,
  OneOf,
  Shape,
  Text,
  TextOrNull,
  Texts,
  Whole,
  WholeOrNull,
} from '#http/openapi';
import type {
  OutcomesOfDay,
  DomainInsightsOverview,
  ProviderInsights,
} from '../../application/domain-insights.query.js';
import type { Listing, Listings } from '../../application/ports/domain-listings.port.js';
import { fixOf, pageOf } from '../../domain/blocklist-pages.js';
import { meaningOf, refusalCategories } from '../../domain/refusal-meanings.js';
import type { OutcomeFigures, OutcomeSummary, RefusalCount } from '../../domain/provider-summary.js';
import type { MeasuredRate } from '../../domain/provider-thresholds.js';
import { exampleId } from './example-ids.js';
import { ProviderReportsResponse, providerReportsResponse } from './provider-reports.response.js';

@Shape('The document that a threshold comes from.')
export class ThresholdSourceResponse {
  @Text('Its title.', 'Google: Email sender guidelines') title!: string;
  @Field('Its address.', { format: 'uri' }, 'https://support.google.com/a/answer/81126') url!: string;
}

@Shape('A rate beside its thresholds.')
export class ProviderRateResponse {
  @OneOf(['complaint_rate', 'bad_address_rate', 'spam_refusal_rate'], 'Name of the rate.', 'complaint_rate')
  id!: string;
  @Whole('What is counted.', 2) count!: number;
  @Whole('The messages that it is a share of.', 1_020) of!: number;
  @Field('The share in percent; null if there were no messages.', { type: 'number', nullable: true }, 0.2)
  percent!: number | null;
  @Field('From which share on it is a warning; null if none is published.', { type: 'number', nullable: true }, 0.1)
  warning!: number | null;
  @Amount('From which share on it is a problem.', 0.3) problem!: number;
  @OneOf(
    ['good', 'warning', 'problem', 'not_measured'],
    '`not_measured`: fewer than 100 messages say nothing about a rate.',
    'warning',
  )
  status!: string;
  @Field('Where the thresholds come from.', { type: ThresholdSourceResponse }) source!: ThresholdSourceResponse;
}

@Shape('Deliveries by how the connection was protected.')
export class ProviderTlsResponse {
  @Whole('Encrypted, and the host was verified by DANE, MTA-STS or a certificate authority.', 0) verified!: number;
  @Whole('Encrypted, without a verified host.', 1_020) opportunistic!: number;
  @Whole('Not encrypted.', 0) none!: number;
}

@Shape('Seconds from the acceptance of an email, or from its scheduled time, until its host had it.')
export class TimeToDeliverResponse {
  @WholeOrNull('Half of the messages took no longer; null if none was delivered.', 3) p50!: number | null;
  @WholeOrNull('95% took no longer.', 40) p95!: number | null;
}

@Shape('Refusals for the same reason.')
export class ProviderRefusalResponse {
  @OneOf(['deferred', 'bounced'], '`deferred`: not now. `bounced`: never.', 'bounced') outcome!: string;
  @OneOf(refusalCategories, 'What the refusals are about.', 'content') category!: string;
  @Whole('Number of messages.', 12) count!: number;
  @Text('What it means.', 'The host took the content for spam.') meaning!: string;
  @Text('What to do.', 'Look at what these messages have in common.') fix!: string;
  @TextOrNull('The last of these replies, without addresses.', '550 5.7.1 Message refused as spam') reply!:
    string | null;
  @IdOrNull('Id of the email that got it.', exampleId) email_id!: string | null;
}

@Shape('What became of mail.')
export class OutcomeFiguresResponse {
  @Whole('Messages that hosts accepted.', 1_020) delivered!: number;
  @Whole('Messages that a host did not accept at the first attempt.', 30) deferred!: number;
  @Whole('Messages that bounced.', 12) bounced!: number;
  @Whole('Messages that were reported as spam.', 2) complained!: number;
  @Whole('Messages that a person opened, each once.', 512) opened!: number;
  @Whole('People who unsubscribed by a link.', 4) unsubscribed!: number;
}

@Shape('What became of mail on a day.')
export class OutcomesOfDayResponse extends OutcomeFiguresResponse {
  @Text('The day, as `yyyy-mm-dd`, in UTC.', '2026-11-29') day!: string;
}

@Shape('What became of mail in the period.')
export class OutcomesOfPeriodResponse extends OutcomeFiguresResponse {
  @Field('How connections were protected.', { type: ProviderTlsResponse }) tls!: ProviderTlsResponse;
  @Field('How long it took.', { type: TimeToDeliverResponse }) time_to_deliver!: TimeToDeliverResponse;
  @ListOf(ProviderRateResponse, 'Rates beside what providers publish.') rates!: readonly ProviderRateResponse[];
  @ListOf(OutcomesOfDayResponse, 'Days on which something happened, oldest first.')
  days!: readonly OutcomesOfDayResponse[];
}

@Shape('What became of mail to one mailbox provider.')
export class ProviderInsightsResponse extends OutcomesOfPeriodResponse {
  @Text(
    '`google`, `microsoft`, `yahoo` or `apple`; otherwise the domain of the mail hosts. `others`: all that are not listed.',
    'google',
  )
  provider!: string;
  @ListOf(ProviderRefusalResponse, 'Why mail was refused, the most frequent first.')
  refusals!: readonly ProviderRefusalResponse[];
}

@Shape('A part of the score.')
export class ScorePartResponse {
  @OneOf(
    ['authentication', 'complaints', 'addresses', 'spam', 'encryption', 'alignment'],
    'Name of the part.',
    'complaints',
  )
  id!: string;
  @Whole('Its points.', 13) points!: number;
  @Whole('The most points that it can have.', 25) max!: number;
  @Text('What was seen.', '2 of 1020 messages (0.2%) people who got it reported it as spam.') evidence!: string;
  @TextOrNull('What would raise it; null where nothing is missing.', null) fix!: string | null;
}

@Shape('A score from 0 to 100: the sum of its parts, and nothing else.')
export class DomainScoreResponse {
  @Whole('The sum.', 88) value!: number;
  @ListOf(ScorePartResponse, 'The parts.') parts!: readonly ScorePartResponse[];
}

@Shape('The days that are added up.')
export class InsightPeriodResponse {
  @Text('First day, as `yyyy-mm-dd`, in UTC.', '2026-11-01') from!: string;
  @Text('The day after the last one.', '2026-12-01') to!: string;
}

@Shape('What reports say about the domain.')
export class ReportFiguresResponse {
  @Whole('Messages with the domain in their From field that receivers reported.', 4_096) dmarc_messages!: number;
  @Whole('Those of them that passed DMARC.', 4_090) dmarc_passed!: number;
  @Whole('TLS sessions of others with the mail hosts of the domain.', 812) tls_sessions!: number;
  @Whole('Those of them that failed.', 0) tls_failed!: number;
}

@Shape('The page of a blocklist, or of the document that says what its answers mean.')
export class BlocklistPageResponse {
  @Text('Its title.', 'Spamhaus: IP and domain reputation checker') title!: string;
  @Field('Its address.', { format: 'uri' }, 'https://check.spamhaus.org/') url!: string;
}

@Shape('A blocklist has the domain, or an address that its mail leaves from.')
export class ListingResponse {
  @Text('The domain or the address.', 'acme.example') subject!: string;
  @OneOf(['domain', 'address'], 'What it is.', 'domain') kind!: string;
  @Text('The list.', 'dbl.spamhaus.org') list!: string;
  @Texts('What the list answered, as addresses that stand for reasons.', ['127.0.1.2']) codes!: readonly string[];
  @TextOrNull('What the list says about it.', 'https://check.spamhaus.org/query/domain/acme.example')
  reason!: string | null;
  @Instant('Since when this process has seen it.', '2026-11-30T08:00:00.000Z') seen_since!: string;
  @Text('What to do.', fixOf('domain')) fix!: string;
  @Field('Where to ask for its removal.', { type: BlocklistPageResponse }) source!: BlocklistPageResponse;
}

@Shape(
  'What blocklists say about the domain and the addresses that its mail leaves from. Answers are kept for six hours.',
)
export class ListingsResponse {
  @Whole('Questions that were answered.', 3) answered!: number;
  @Whole('Questions without an answer so far, or that a list refused.', 0) unanswered!: number;
  @ListOf(ListingResponse, 'The listings.') listed!: readonly ListingResponse[];
}

@Shape('What became of the mail of a domain, by mailbox provider.')
export class DomainInsightsResponse {
  @Always('domain_insights') object!: 'domain_insights';
  @Id('Id of the domain.', exampleId) id!: string;
  @Text('Name of the domain.', 'acme.example') name!: string;
  @Field('The days that are added up.', { type: InsightPeriodResponse }) period!: InsightPeriodResponse;
  @Field('The score; null if no mail was delivered or refused.', { type: DomainScoreResponse, nullable: true })
  score!: DomainScoreResponse | null;
  @Field('All providers together.', { type: OutcomesOfPeriodResponse }) totals!: OutcomesOfPeriodResponse;
  @ListOf(ProviderInsightsResponse, 'The twenty providers with most mail, most first, and all others as one.')
  providers!: readonly ProviderInsightsResponse[];
  @Field('What reports say, where some came.', { type: ReportFiguresResponse }) reports!: ReportFiguresResponse;
  @Field('What blocklists say; null if the operator names none (`BLOCKLISTS`, `DOMAIN_BLOCKLISTS`).', {
    type: ListingsResponse,
    nullable: true,
  })
  blocklists!: ListingsResponse | null;
  @Field('What providers themselves say; null if the operator has set no access to it (`POSTMASTER_TOOLS_KEY_FILE`).', {
    type: ProviderReportsResponse,
    nullable: true,
  })
  provider_reports!: ProviderReportsResponse | null;
}

export function domainInsightsResponse(overview: DomainInsightsOverview): DomainInsightsResponse {
  const { domain, period, score, total, days, providers, reports, listings, google } = overview;
  return {
    object: 'domain_insights',
    id: domain.id,
    name: domain.name,
    period: { from: period.from, to: period.to },
    score: score === undefined ? null : { value: score.value, parts: score.parts.map((part) => ({ ...part })) },
    totals: periodResponse(total, days),
    providers: providers.map(providerResponse),
    reports: {
      dmarc_messages: reports.dmarc.messages,
      dmarc_passed: reports.dmarc.aligned,
      tls_sessions: reports.tls.succeeded + reports.tls.failed,
      tls_failed: reports.tls.failed,
    },
    blocklists: listings === undefined ? null : listingsResponse(listings),
    provider_reports: google === undefined ? null : providerReportsResponse(google),
  };
}

function listingsResponse({ answered, unanswered, listed }: Listings): ListingsResponse {
  return { answered, unanswered, listed: listed.map(listingResponse) };
}

const listingResponse = (listing: Listing): ListingResponse =>
  toResponse(ListingResponse, listing, {
    reason: listing.reason === '' ? null : listing.reason,
    seen_since: listing.since.toISOString(),
    fix: fixOf(listing.kind),
    source: { ...pageOf(listing.list) },
  });

function providerResponse({ provider, summary, days }: ProviderInsights): ProviderInsightsResponse {
  return { provider, ...periodResponse(summary, days), refusals: summary.refusals.map(refusalResponse) };
}

function periodResponse(summary: OutcomeSummary, days: readonly OutcomesOfDay[]): OutcomesOfPeriodResponse {
  const { p50, p95 } = summary.timeToDeliver;
  return {
    ...countsResponse(summary),
    tls: { ...summary.tls },
    time_to_deliver: { p50: p50 ?? null, p95: p95 ?? null },
    rates: summary.rates.map(rateResponse),
    days: days.map((of) => ({ day: of.day, ...countsResponse(of) })),
  };
}

const countsResponse = (figures: OutcomeFigures): OutcomeFiguresResponse => toResponse(OutcomeFiguresResponse, figures);

function rateResponse(rate: MeasuredRate): ProviderRateResponse {
  const { warning, problem, source } = rate.thresholds;
  const rounded = rate.percent === undefined ? null : Math.round(rate.percent * 1_000) / 1_000;
  return toResponse(ProviderRateResponse, rate, {
    percent: rounded,
    warning,
    problem,
    source: { ...source },
  });
}

function refusalResponse({ outcome, category, count, reply, emailId }: RefusalCount): ProviderRefusalResponse {
  return { outcome, category, count, ...meaningOf(category), reply, email_id: emailId };
}
