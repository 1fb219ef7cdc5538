import { Amount, Field, ListOf, OneOf, Shape, Text, TextOrNull } from '#http/openapi';
import { delayReasons, rejectReasons } from '#provider-reports';
import type { GoogleDay, GoogleReport } from '#provider-reports';
import { complaintThresholds, statusOfPercent } from '../../domain/provider-thresholds.js';

const postmasterTools = { title: 'Google: Postmaster Tools', url: 'https://postmaster.google.com/' };

const share = (description: string, example: number): PropertyDecorator =>
  Field(`${description} In percent; null if Google does not say.`, { type: 'number', nullable: true }, example);

@Shape('The document that something comes from.')
export class ProviderSourceResponse {
  @Text('Its title.', postmasterTools.title) title!: string;
  @Field('Its address.', { format: 'uri' }, postmasterTools.url) url!: string;
}

@Shape('Mail that Google did not accept, for one reason.')
export class GoogleErrorResponse {
  @OneOf(['rejected', 'delayed'], '`rejected`: for good. `delayed`: it is tried again.', 'rejected') outcome!: string;
  @OneOf([...new Set([...rejectReasons, ...delayReasons])], 'The reason, in the words of Google.', 'low_ip_reputation')
  reason!: string;
  @Amount('The share of all mail, in percent.', 0.2) percent!: number;
}

@Shape('What Google says about the mail of a day.')
export class GoogleDayResponse {
  @Text('The day, as `yyyy-mm-dd`.', '2026-11-28') day!: string;
  @share('Mail in the inbox that people reported as spam.', 0.04) spam!: number | null;
  @share('Mail that passed SPF.', 99.8) spf!: number | null;
  @share('Mail that passed DKIM.', 100) dkim!: number | null;
  @share('Mail that passed DMARC.', 99.7) dmarc!: number | null;
  @share('Mail to Gmail that came over TLS.', 100) tls_inbound!: number | null;
  @share('Mail from Gmail that was sent over TLS.', 100) tls_outbound!: number | null;
  @share('Mail that was refused for good.', 0.3) rejected!: number | null;
  @share('Mail that was put off.', 1.2) delayed!: number | null;
  @ListOf(GoogleErrorResponse, 'Why mail was refused or put off.') errors!: readonly GoogleErrorResponse[];
}

@Shape('The newest share of mail that people reported as spam, beside the thresholds of Google.')
export class GoogleSpamRateResponse {
  @Text('Its day, as `yyyy-mm-dd`.', '2026-11-28') day!: string;
  @Amount('The share in percent.', 0.04) percent!: number;
  @Amount('From which share on it is a warning.', 0.1) warning!: number;
  @Amount('From which share on it is a problem.', 0.3) problem!: number;
  @OneOf(['good', 'warning', 'problem'], 'What the share is beside them.', 'good') status!: string;
  @Field('Where the thresholds come from.', { type: ProviderSourceResponse }) source!: ProviderSourceResponse;
}

@Shape('What Google Postmaster Tools says about the domain, imported once a day.')
export class GoogleReportResponse {
  @TextOrNull(
    'The account that the domain has to be shared with in Postmaster Tools; null until Google was asked.',
    'postrider@acme.iam.gserviceaccount.com',
  )
  account!: string | null;
  @Field('The newest spam rate; null if Google gave none in the period.', {
    type: GoogleSpamRateResponse,
    nullable: true,
  })
  spam_rate!: GoogleSpamRateResponse | null;
  @ListOf(GoogleDayResponse, 'Days of the period that Google has figures of, oldest first.')
  days!: readonly GoogleDayResponse[];
  @Field('Where the figures come from.', { type: ProviderSourceResponse }) source!: ProviderSourceResponse;
}

@Shape('What providers themselves say about the mail of the domain.')
export class ProviderReportsResponse {
  @Field('Google.', { type: GoogleReportResponse }) google!: GoogleReportResponse;
}

export function providerReportsResponse({ account, days }: GoogleReport): ProviderReportsResponse {
  const shown = days.map(dayResponse);
  return {
    google: { account: account ?? null, spam_rate: spamRateOf(shown), days: shown, source: { ...postmasterTools } },
  };
}

function spamRateOf(days: readonly GoogleDayResponse[]): GoogleSpamRateResponse | null {
  const newest = days.findLast(({ spam }) => spam !== null);
  if (newest === undefined) return null;
  const thresholds = complaintThresholds('google');
  const { warning, problem, source } = thresholds;
  const percent = newest.spam ?? 0;
  return {
    day: newest.day,
    percent,
    warning: warning ?? problem,
    problem,
    status: statusOfPercent(percent, thresholds),
    source: { ...source },
  };
}

function dayResponse({ day, shares }: GoogleDay): GoogleDayResponse {
  const of = (name: keyof typeof shares): number | null => percentOf(shares[name]);
  const errors = [
    ...rejectReasons.map((reason) => ({ outcome: 'rejected', reason, percent: of(`rejected_${reason}`) })),
    ...delayReasons.map((reason) => ({ outcome: 'delayed', reason, percent: of(`delayed_${reason}`) })),
  ];
  return {
    day,
    spam: of('spam'),
    spf: of('spf'),
    dkim: of('dkim'),
    dmarc: of('dmarc'),
    tls_inbound: of('tls_inbound'),
    tls_outbound: of('tls_outbound'),
    rejected: of('rejected'),
    delayed: of('delayed'),
    errors: errors.flatMap(({ percent, ...error }) =>
      percent === null || percent === 0 ? [] : [{ ...error, percent }],
    ),
  };
}

function percentOf(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(value * 100_000) / 1_000;
}
