import { timestamp, toResponse } from '#http/server';
import { AdaptiveLimit, LaneLimits } from '../../domain/lane-limits.js';
import {
  EmailTrace,
  Hold,
  holdOf,
  RecipientTrace,
  TracedAttempt,
  TracedEvent,
  TracedReport,
} from '../../domain/recipient-trace.js';
import {
  TraceAttempt,
  TraceEvent,
  TraceHold,
  TraceLimit,
  TraceLimits,
  TraceRecipient,
  TraceReport,
  TraceResponse,
  TraceTls,
} from './trace.response.js';

/** `paceHolds`: by lane, why it is claimed from slowly. */
export const traceResponse = (
  trace: EmailTrace,
  now: Date,
  paceHolds: ReadonlyMap<string, Hold> = new Map(),
): TraceResponse =>
  toResponse(TraceResponse, trace, {
    events: trace.events.map(eventResponse),
    recipients: trace.recipients.map((recipient) => {
      const paceHold = paceHolds.get(recipient.place?.lane ?? '');
      return recipientResponse(recipient, holdOf(recipient, trace.scheduledAt, now, paceHold));
    }),
  });

function recipientResponse(recipient: RecipientTrace, hold: Hold | undefined): TraceRecipient {
  const { place } = recipient;
  return {
    recipient: recipient.address,
    status: recipient.status,
    queued_at: place === null ? null : timestamp(place.queuedAt),
    lane: place === null ? null : place.lane,
    next_attempt_at: nextAttemptOf(recipient, hold?.until ?? null),
    held_by: hold === undefined ? null : holdResponse(hold),
    attempts: recipient.attempts.map(attemptResponse),
    reports: recipient.reports.map(reportResponse),
    events: recipient.events.map(eventResponse),
  };
}

const holdResponse = (hold: Hold): TraceHold =>
  toResponse(TraceHold, hold, { limit: hold.limit === undefined ? null : limitResponse(hold.limit) });

function limitResponse(limits: LaneLimits): TraceLimits {
  const figure = ({ current, most }: AdaptiveLimit): TraceLimit => ({ current, most });
  return toResponse(TraceLimits, limits, {
    connections: figure(limits.connections),
    messages_per_minute: figure(limits.messagesPerMinute),
  });
}

/** The TLS report of an attempt, with the field names of this API. */
function tlsResponse(tls: Readonly<Record<string, unknown>>): TraceTls {
  const { certificateError, plaintextReason, policyFailure, ...rest } = tls;
  return {
    ...(rest as Pick<TraceTls, 'level' | 'protocol' | 'cipher' | 'authorized'>),
    certificate_error: certificateError ?? null,
    plaintext_reason: plaintextReason ?? null,
    policy_failure: policyFailure ?? null,
  };
}

function nextAttemptOf({ place }: RecipientTrace, until: Date | null): string | null {
  if (until !== null) return timestamp(until);
  return place === null ? null : timestamp(place.dueAt);
}

const attemptResponse = (attempt: TracedAttempt): TraceAttempt =>
  toResponse(TraceAttempt, attempt, {
    outcome: attempt.outcome === 'unknown' ? 'deferred' : attempt.outcome,
    outcome_unknown: attempt.outcome === 'unknown',
    tls: attempt.tls === null ? null : tlsResponse(attempt.tls),
    reply:
      attempt.replyCode === null
        ? null
        : { code: attempt.replyCode, enhanced_code: attempt.enhancedCode, text: attempt.replyText },
    timings_ms: attempt.timings,
  });

const reportResponse = (report: TracedReport): TraceReport => toResponse(TraceReport, report);

const eventResponse = (event: TracedEvent): TraceEvent => toResponse(TraceEvent, event);
