import {
  Always,
  Amount,
  Deleted,
  Field,
  Flag,
  Id,
  ListOf,
  MomentOrNull,
  OneOf,
  ReferenceTo,
  Shape,
  Text,
  Whole,
} from '#http/openapi';
import { timestamp, timestampOrNull, toResponse } from '#http/server';
import { rounded } from '../../application/announce-change.js';
import { WarmedProvider, WarmUp } from '../../application/ports/warm-ups.port.js';
import { WarmUpState } from '../../application/read-warm-up.query.js';
import { lastDayText, warmUpText } from '../../domain/warm-up-texts.js';
import {
  badPercent,
  dayDecisions,
  dayOfHour,
  EndedDay,
  hourlyLimit,
  hourOf,
  leftOf,
  limitOf,
  nextAt,
  projectedEnd,
  quietDays,
  Ramp,
  startOfDay,
} from '../../domain/warm-up.js';
import { domainId } from './example-ids.js';

const midnight = '2026-12-17 00:00:00+00';

@Shape('The last day on which mail went, and what followed from it.')
export class WarmUpDayResponse {
  @Whole('The limit of the day.', 500) limit!: number;
  @Whole('Messages that went.', 480) sent!: number;
  @Whole('Messages that were deferred, or refused as spam.', 31) deferred_or_refused!: number;
  @Amount('Their share in percent.', 6.458) percent!: number;
  @OneOf(
    dayDecisions,
    '`advanced`: the next limit follows. `too_little_mail`: less than half of the limit was used, so it stays. `slowed`: more than 5% was ' +
      'deferred or refused as spam, so it stays.',
    'slowed',
  )
  decision!: string;
}

@Shape('How far the warm-up to a mailbox provider is.')
export class WarmUpProviderResponse {
  @Text('The provider, as in the insights of the domain.', 'google') provider!: string;
  @Whole('The day of the schedule, from 1 on.', 3) day!: number;
  @Whole('Messages that may go today.', 500) limit!: number;
  @Whole('Messages that went today.', 120) sent_today!: number;
  @Whole('Messages that may go in an hour.', 50) hourly_limit!: number;
  @Whole('Messages that went this hour.', 50) sent_this_hour!: number;
  @Flag('Whether more mail has to wait now.', true) is_waiting!: boolean;
  @MomentOrNull('When more may go; null if some may go now.', '2026-11-30 21:00:00+00') next_at!: string | null;
  @Flag('Whether the limit was kept because too much was deferred or refused as spam on the last day.', true)
  is_slowed!: boolean;
  @Text('Why mail waits, and why the limit was kept; may be empty.', 'The limit stays, because 31 of 480 messages …')
  reason!: string;
  @Field('The day before, with the evidence; null on the first day.', { type: WarmUpDayResponse, nullable: true })
  last_day!: WarmUpDayResponse | null;
  @Flag('Whether its last day is over: its mail goes without a limit.', false) is_done!: boolean;
  @MomentOrNull('When it will be, if every day from now on advances it; null if it is.', midnight)
  projected_end!: string | null;
}

@Shape('How far the warm-up of a domain is.')
export class DomainWarmUpResponse {
  @Always('domain_warm_up') object!: 'domain_warm_up';
  @Id('Id of the domain.', domainId) id!: string;
  @Text('Name of the domain.', 'acme.example') name!: string;
  @OneOf(['off', 'running', 'ended'], '`off`: the domain was never warmed up.', 'running') status!: string;
  @MomentOrNull('When it was started.', '2026-11-28 09:12:44.08+00') started_at!: string | null;
  @MomentOrNull('When it ended, by itself or by a person.', null) ended_at!: string | null;
  @Field('Messages of each day to a provider.', { type: [Number] }, [50, 100, 500, 1_000]) schedule!: readonly number[];
  @MomentOrNull('When it will end, if every day from now on advances it; null if it does not run.', midnight)
  projected_end!: string | null;
  @ListOf(WarmUpProviderResponse, 'At most 50 providers to which mail went, those with most of it first.')
  data!: readonly WarmUpProviderResponse[];
}

@Shape('The warm-up has ended.')
export class EndedWarmUpResponse extends Deleted(ReferenceTo('domain_warm_up', 'Id of the domain.', domainId)) {}

export function warmUpResponse({ domain, warmUp, providers, now }: WarmUpState): DomainWarmUpResponse {
  const runs = warmUp !== undefined && warmUp.endedAt === undefined;
  return {
    object: 'domain_warm_up',
    id: domain.id,
    name: domain.name,
    status: warmUp === undefined ? 'off' : runs ? 'running' : 'ended',
    started_at: warmUp === undefined ? null : timestamp(warmUp.startedAt),
    ended_at: warmUp?.endedAt === undefined ? null : timestamp(warmUp.endedAt),
    schedule: warmUp?.schedule ?? [],
    projected_end: runs ? timestamp(endOf(warmUp, providers, now)) : null,
    data: runs ? providers.map((provider) => providerResponse(domain.name, provider, warmUp.schedule)) : [],
  };
}

/** The latest end of its ramps. Those that had little mail for long are not waited for. */
function endOf({ schedule }: WarmUp, providers: readonly WarmedProvider[], now: Date): Date {
  const today = dayOfHour(hourOf(now));
  const going = providers.filter(({ ramp: { busyDay } }) => busyDay !== null && busyDay > today - quietDays);
  const ends = going.flatMap(({ ramp }) => projectedEnd(ramp, schedule)?.getTime() ?? []);
  if (ends.length === 0) ends.push(startOfDay(today + schedule.length).getTime());
  return new Date(Math.max(...ends));
}

function providerResponse(
  domain: string,
  { provider, ramp }: WarmedProvider,
  schedule: readonly number[],
): WarmUpProviderResponse {
  const limit = limitOf(ramp, schedule);
  const isWaiting = !ramp.isDone && leftOf(ramp, schedule) === 0;
  const end = projectedEnd(ramp, schedule);
  return {
    provider,
    day: Math.min(ramp.step, schedule.length - 1) + 1,
    limit,
    sent_today: ramp.daySent,
    hourly_limit: hourlyLimit(limit),
    sent_this_hour: ramp.hourSent,
    is_waiting: isWaiting,
    next_at: isWaiting ? timestamp(nextAt(ramp, schedule)) : null,
    is_slowed: ramp.lastDay?.decision === 'slowed',
    reason: reasonOf(domain, provider, ramp, schedule, isWaiting),
    last_day: ramp.lastDay === null ? null : dayResponse(ramp.lastDay),
    is_done: ramp.isDone,
    projected_end: timestampOrNull(end),
  };
}

function reasonOf(
  domain: string,
  provider: string,
  ramp: Ramp,
  schedule: readonly number[],
  isWaiting: boolean,
): string {
  return isWaiting ? warmUpText(domain, provider, ramp, schedule) : lastDayText(ramp.lastDay);
}

const dayResponse = (day: EndedDay): WarmUpDayResponse =>
  toResponse(WarmUpDayResponse, day, {
    deferred_or_refused: day.bad,
    percent: rounded(badPercent({ bad: day.bad, sent: day.sent })),
  });
