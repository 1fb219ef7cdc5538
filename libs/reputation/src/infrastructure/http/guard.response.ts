import {
  Always,
  Amount,
  Field,
  Flag,
  Id,
  IdOrNull,
  ListOf,
  Moment,
  OneOf,
  OneOfOrNull,
  Shape,
  Text,
  Whole,
  WholeOrNull,
} from '#http/openapi';
import { timestamp, toResponse } from '#http/server';
import type { Domain } from '#domains';
import { rounded } from '../../application/announce-change.js';
import { Cause } from '../../domain/cause.js';
import { EarlierRate, GuardChange, GuardState, ReplyExample } from '../../domain/guard-state.js';
import { RateEvidence } from '../../domain/evidence.js';
import { guardedRates, GuardSettings, guardSteps, levelOf, limitedSteps } from '../../domain/guard-limits.js';
import { effectOf, reasonOf } from '../../domain/guard-texts.js';
import { changeId, domainId, emailId } from './example-ids.js';

const stepText =
  '`none`: mail goes as usual. `warned`: it still does. `bulk_slowed`, `bulk_paused`: bulk mail is slowed, or waits. `all_slowed`, ' +
  '`all_paused`: transactional mail is slowed as well, or waits.';

@Shape('A rate that the guard looked at.')
export class GuardedRateResponse {
  @OneOf(guardedRates, 'Name of the rate.', 'spam_refusal_rate') id!: string;
  @Whole('What is counted.', 52) count!: number;
  @Whole('The messages that it is a share of.', 1_000) of!: number;
  @Amount('The share in percent.', 5.2) percent!: number;
  @Amount('The share that it is at least, with 95% certainty. It is compared with the limit.', 3.985)
  at_least_percent!: number;
  @Field('The limit that it reached; null if none.', { type: 'number', nullable: true }, 3) limit_percent!:
    number | null;
  @Field(
    'The share in the week before, in percent; null if there was no mail.',
    { type: 'number', nullable: true },
    0.1,
  )
  earlier_percent!: number | null;
}

@Shape('A reply with which mail was refused.')
export class GuardReplyResponse {
  @Text('What it is about.', 'content') category!: string;
  @Whole('Number of such replies.', 52) count!: number;
  @Text('The reply, without addresses.', '550 5.7.1 Message refused as spam') reply!: string;
  @IdOrNull('Id of the email that got it.', emailId) email_id!: string | null;
}

@Shape('What most of the bad outcomes have in common, and other mail has not.')
export class GuardCauseResponse {
  @OneOf(['broadcast', 'segment', 'template', 'import'], 'What it is.', 'broadcast') type!: string;
  @Id('Its id.', emailId) id!: string;
  @Text('Its name; of an import, when its file came.', 'November offers') name!: string;
  @Whole('Bad outcomes of its messages, among those that were looked at.', 50) count!: number;
  @Whole('Its messages.', 600) of!: number;
  @Amount('Their share in percent.', 8.333) percent!: number;
  @Amount('The share among all other messages, in percent.', 0.5) others_percent!: number;
}

@Shape('What a step was decided by.')
export class GuardEvidenceResponse {
  @Text(
    'A sentence that names the rate that decided; empty if no rate called for a step.',
    '52 of 1000 messages (5.2%) were refused as spam.',
  )
  reason!: string;
  @ListOf(GuardedRateResponse, 'The rates.') rates!: readonly GuardedRateResponse[];
  @ListOf(GuardReplyResponse, 'The most frequent replies.') replies!: readonly GuardReplyResponse[];
  @Field('The likely cause; null if nothing stands out.', { type: GuardCauseResponse, nullable: true })
  cause!: GuardCauseResponse | null;
}

@Shape('The step at which the guard holds mail to a mailbox provider.')
export class GuardStateResponse extends GuardEvidenceResponse {
  @Text('The provider, as in the insights of the domain.', 'google') provider!: string;
  @OneOf(guardSteps, stepText, 'bulk_slowed') step!: string;
  @Moment('Since when.', '2026-11-30 20:45:01.2+00') since!: string;
  @Text('What it does.', 'Bulk mail of acme.example to Google goes at 100 messages an hour.') effect!: string;
  @WholeOrNull('Messages an hour where mail is slowed.', 100) messages_per_hour!: number | null;
  @Flag('Whether the team may lift it. After a relapse only the operator may.', true) may_lift!: boolean;
}

@Shape('The limits of a step, in percent.')
export class GuardLimitResponse {
  @OneOf(limitedSteps, stepText, 'warned') step!: string;
  @Amount('Delivered messages that were reported as spam.', 0.1) complaint_rate!: number;
  @Amount('Messages to addresses that do not exist.', 5) bad_address_rate!: number;
  @Amount('Messages refused as spam or for the reputation of the sender.', 1) spam_refusal_rate!: number;
}

@Shape('How the guard of reputations holds the mail of a domain.')
export class DomainGuardResponse {
  @Always('domain_guard') object!: 'domain_guard';
  @Id('Id of the domain.', domainId) id!: string;
  @Text('Name of the domain.', 'acme.example') name!: string;
  @OneOf(['on', 'warn', 'off'], '`warn`: changes are told, and no mail is slowed.', 'on') mode!: string;
  @Whole('Messages to a provider from which on their rates are judged.', 200) min_volume!: number;
  @ListOf(GuardLimitResponse, 'From which shares on each step is taken.') limits!: readonly GuardLimitResponse[];
  @ListOf(GuardStateResponse, 'Providers with a step, the furthest first. None: all mail goes as usual.')
  data!: readonly GuardStateResponse[];
}

@Shape('A change of the step.')
export class GuardChangeResponse extends GuardEvidenceResponse {
  @Id('Id of the change.', changeId) id!: string;
  @Moment('When it was made.', '2026-11-30 20:45:01.2+00') created_at!: string;
  @Text('The provider.', 'google') provider!: string;
  @OneOf(guardSteps, 'The step before.', 'none') previous_step!: string;
  @OneOf(guardSteps, 'The step after it.', 'bulk_slowed') step!: string;
  @OneOf(
    ['evidence', 'recovery', 'time', 'lifted'],
    '`evidence`: rates called for it. `recovery`: they are low again. `time`: for a day there was too little mail to tell. ' +
      '`lifted`: a person lifted it.',
    'evidence',
  )
  because!: string;
  @OneOfOrNull(['api_key', 'user'], 'Who lifted it; null if the guard changed it.', null) actor!: string | null;
}

@Shape('The step is lifted.')
export class LiftedGuardResponse {
  @Always('domain_guard') object!: 'domain_guard';
  @Id('Id of the domain.', domainId) id!: string;
  @Text('The provider.', 'google') provider!: string;
  @Always('none') step!: 'none';
}

@Shape('A step of the guard, for the operator.')
export class ActiveGuardResponse extends GuardStateResponse {
  @Id('Id of the domain.', domainId) domain_id!: string;
  @Text('Name of the domain.', 'acme.example') domain!: string;
  @Text('Name of its team.', 'Acme') team!: string;
}

@Shape('The steps of the guard for all domains.')
export class ActiveGuardsResponse {
  @Always('guards') object!: 'guards';
  @OneOf(['on', 'warn', 'off'], 'What the guard does.', 'on') mode!: string;
  @ListOf(ActiveGuardResponse, 'The furthest first, at most 100.') data!: readonly ActiveGuardResponse[];
}

export const domainGuardResponse = (
  domain: Domain,
  settings: GuardSettings,
  states: readonly GuardState[],
): DomainGuardResponse =>
  toResponse(DomainGuardResponse, domain, {
    mode: settings.mode,
    min_volume: settings.minVolume,
    limits: limitedSteps.map((step, at) => ({
      step,
      complaint_rate: settings.limits.complaint_rate[at] ?? 100,
      bad_address_rate: settings.limits.bad_address_rate[at] ?? 100,
      spam_refusal_rate: settings.limits.spam_refusal_rate[at] ?? 100,
    })),
    data: states.map((state) => stateResponse(domain.name, state)),
  });

export const activeGuardResponse = (
  state: GuardState & { readonly domain: string; readonly team: string },
): ActiveGuardResponse => toResponse(ActiveGuardResponse, state, stateResponse(state.domain, state));

export function changeResponse(change: GuardChange): GuardChangeResponse {
  return {
    id: change.id,
    created_at: timestamp(change.createdAt),
    provider: change.provider,
    previous_step: change.from,
    step: change.to,
    because: change.because,
    actor: change.actor.kind === 'service' ? null : change.actor.kind,
    ...evidenceResponse(change.evidence),
  };
}

function stateResponse(domain: string, state: GuardState): GuardStateResponse {
  const { provider, step, slowPace } = state;
  const isSlowed = step === 'bulk_slowed' || step === 'all_slowed';
  return {
    provider,
    step,
    since: timestamp(state.since),
    effect: effectOf(step, domain, provider, slowPace),
    messages_per_hour: isSlowed ? slowPace : null,
    may_lift: !state.isLocked && levelOf(step) > 0,
    ...evidenceResponse(state.evidence),
  };
}

function evidenceResponse(evidence: GuardState['evidence']): GuardEvidenceResponse {
  const { rates = [], earlier = [], replies = [], cause } = evidence ?? {};
  return {
    reason: reasonOf(rates),
    rates: rates.map((rate) => rateResponse(rate, earlier)),
    replies: replies.map(replyResponse),
    cause: cause === undefined ? null : causeResponse(cause),
  };
}

function rateResponse(rate: RateEvidence, earlier: readonly EarlierRate[]): GuardedRateResponse {
  const before = earlier.find(({ id }) => id === rate.id);
  return toResponse(GuardedRateResponse, rate, {
    percent: rounded(rate.percent),
    at_least_percent: rounded(rate.atLeast),
    limit_percent: rate.limit,
    earlier_percent: before === undefined || before.of === 0 ? null : rounded(before.percent),
  });
}

const replyResponse = (example: ReplyExample): GuardReplyResponse => toResponse(GuardReplyResponse, example);

function causeResponse({ kind, id, name, bad, all, percent, othersPercent }: Cause): GuardCauseResponse {
  return {
    type: kind,
    id,
    name,
    count: bad,
    of: all,
    percent: rounded(percent),
    others_percent: rounded(othersPercent),
  };
}
