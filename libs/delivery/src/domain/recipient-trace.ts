import { describeLimit, LaneReport } from './lane-limits.js';

/**
 * One recorded attempt. `unknown`: the message was handed over, or was under way when the worker ended, and no reply
 * confirmed it.
 */
export interface TracedAttempt {
  readonly attempt: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: 'delivered' | 'deferred' | 'bounced' | 'unknown';
  /** The region that it was made from; null where workers send for all regions. */
  readonly region: string | null;
  /** The pool and the address that it left from; null if the operating system chose the address. */
  readonly pool: string | null;
  readonly sourceAddress: string | null;
  readonly category: string | null;
  readonly reason: string | null;
  readonly host: string | null;
  readonly address: string | null;
  readonly tls: Readonly<Record<string, unknown>> | null;
  readonly replyCode: number | null;
  readonly enhancedCode: string | null;
  readonly replyText: string | null;
  /** See `AttemptTimings`. */
  readonly timings: Readonly<Record<string, number>> | null;
}

export interface TracedEvent {
  readonly seq: number;
  readonly type: string;
  readonly createdAt: Date;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** A report that came back by mail after the message had been handed over: a delivery report or a complaint. */
export interface TracedReport {
  readonly receivedAt: Date;
  readonly kind: string;
  /** Host or address of the sender of the report. */
  readonly reporter: string | null;
  readonly action: string | null;
  readonly status: string | null;
  readonly category: string | null;
  readonly diagnostic: string | null;
  /** The consequence of the report. `none` if it was already known or changes nothing. */
  readonly effect: string;
}

/** The place in the queue of a recipient that is still to be delivered. */
export interface QueuePlace {
  readonly lane: string;
  readonly queuedAt: Date;
  readonly dueAt: Date;
  readonly attempts: number;
  /** Whether a worker has claimed it. */
  readonly isHeld: boolean;
  /** Whether a worker has acquired its lane. */
  readonly isLaneTaken: boolean;
  /** The worker's last report of what holds the lane back. */
  readonly report: LaneReport | null;
  readonly isBulk: boolean;
  /** Recipients of the lane that go before this one and are not claimed; counted up to a maximum. */
  readonly ahead: number;
  /** Those of them that are transactional mail. */
  readonly transactionalAhead: number;
  readonly pause: { readonly since: Date; readonly until: Date; readonly reason: string } | null;
}

export interface RecipientTrace {
  readonly no: number;
  readonly address: string;
  readonly status: string;
  readonly place: QueuePlace | null;
  readonly attempts: readonly TracedAttempt[];
  readonly reports: readonly TracedReport[];
  readonly events: readonly TracedEvent[];
}

/** The complete trace of an email, recipient by recipient. */
export interface EmailTrace {
  readonly emailId: string;
  readonly createdAt: Date;
  readonly scheduledAt: Date | null;
  /** Events of the email as a whole, such as its acceptance. */
  readonly events: readonly TracedEvent[];
  readonly recipients: readonly RecipientTrace[];
}

/** What keeps a recipient from being tried now, why, and until when if that is known. */
export interface Hold {
  readonly kind:
    | 'schedule'
    | 'retry_schedule'
    | 'lane_paused'
    | 'reputation_guard'
    | 'warm_up'
    | 'connection_limit'
    | 'rate_limit'
    | 'back_off'
    | 'lane_limit'
    | 'transactional_first'
    | 'no_worker'
    | 'under_way';
  /** For limits of a lane this is an estimate from its recent pace. */
  readonly until: Date | null;
  readonly reason: string;
  readonly limit?: LaneReport;
}

/** A report that is older than this is ignored. */
const reportHoldsMs = 15_000;

/** Undefined if the recipient is in a final state. `paceHold`: why its lane is claimed from slowly, or not at all. */
export function holdOf(
  { place, status }: RecipientTrace,
  scheduledAt: Date | null,
  now: Date,
  paceHold?: Hold,
): Hold | undefined {
  if (place === null) {
    if (status !== 'scheduled') return undefined;
    return { kind: 'schedule', until: scheduledAt, reason: 'The email is scheduled' };
  }
  const { lane, dueAt, pause, isBulk, transactionalAhead } = place;
  const limit = limitOf(place, now);
  if (place.isHeld) {
    if (limit !== undefined) return limit;
    const turn = isBulk ? ', after transactional mail' : '';
    const reason = `A worker has it: being delivered, or waiting for one of the connections of lane ${lane}${turn}`;
    return { kind: 'under_way', until: null, reason };
  }
  if (pause !== null && pause.until > now && pause.until > dueAt) {
    return { kind: 'lane_paused', until: pause.until, reason: pause.reason };
  }
  if (dueAt > now) {
    const reason = `Attempt ${place.attempts} did not succeed; the next one has its time`;
    return { kind: 'retry_schedule', until: dueAt, reason };
  }
  if (paceHold !== undefined) return paceHold;
  if (!place.isLaneTaken) return { kind: 'no_worker', until: null, reason: `No worker has taken lane ${lane} yet` };
  if (isBulk && transactionalAhead > 0) {
    const reason = `Bulk mail waits behind the transactional mail of lane ${lane}: ${transactionalAhead} before it`;
    return { kind: 'transactional_first', until: null, reason, limit: limit?.limit };
  }
  if (limit !== undefined) return limit;
  return { kind: 'lane_limit', until: null, reason: `Lane ${lane} delivers as much at once as its site takes` };
}

function limitOf({ lane, report, isHeld, ahead }: QueuePlace, now: Date): Hold | undefined {
  if (report === null || now.getTime() - report.at.getTime() > reportHoldsMs) return undefined;
  const { at, held, perSecond } = report;
  const before = isHeld ? held : held + ahead;
  const until = perSecond > 0 ? new Date(at.getTime() + (before / perSecond) * 1_000) : null;
  const reason = `Lane ${lane} goes at the pace of its site: ${describeLimit(report)}; about ${before} before it`;
  return { kind: report.heldBy, until: until !== null && until > now ? until : null, reason, limit: report };
}
