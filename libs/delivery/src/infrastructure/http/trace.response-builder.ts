import { timestamp, timestampOrNull } from '#http/server';
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
export function traceResponse(
  trace: EmailTrace,
  now: Date,
  paceHolds: ReadonlyMap<string, Hold> = new Map(),
): TraceResponse {
  return {
    object: 'trace',
    email_id: trace.emailId,
    created_at: timestamp(trace.createdAt),
    scheduled_at: timestampOrNull(trace.scheduledAt),
    events: trace.events.map(eventResponse),
    recipients: trace.recipients.map((recipient) => {
      const paceHold = paceHolds.get(recipient.place?.lane ?? '');
      return recipientResponse(recipient, holdOf(recipient, trace.scheduledAt, now, paceHold));
    }),
  };
}

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

function holdResponse({ kind, until, reason, limit }: Hold): TraceHold {
  return {
    kind,
    until: timestampOrNull(until),
    reason,
    limit: limit === undefined ? null : limitResponse(limit),
  };
}

function limitResponse({ profile, site, source, connections, messagesPerMinute }: LaneLimits): TraceLimits {
  const figure = ({ current, most }: AdaptiveLimit): TraceLimit => ({ current, most });
  return {
    profile,
    site,
    source: source ?? null,
    connections: figure(connections),
    messages_per_minute: figure(messagesPerMinute),
  };
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

function attemptResponse(attempt: TracedAttempt): TraceAttempt {
  const { replyCode, enhancedCode, replyText } = attempt;
  return {
    attempt: attempt.attempt,
    started_at: timestamp(attempt.startedAt),
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome === 'unknown' ? 'deferred' : attempt.outcome,
    outcome_unknown: attempt.outcome === 'unknown',
    region: attempt.region,
    pool: attempt.pool,
    source_address: attempt.sourceAddress,
    category: attempt.category,
    reason: attempt.reason,
    host: attempt.host,
    address: attempt.address,
    tls: attempt.tls === null ? null : tlsResponse(attempt.tls),
    reply: replyCode === null ? null : { code: replyCode, enhanced_code: enhancedCode, text: replyText },
    timings_ms: attempt.timings,
  };
}

function reportResponse(report: TracedReport): TraceReport {
  const { receivedAt, kind, reporter, action, status, category, diagnostic, effect } = report;
  return { received_at: timestamp(receivedAt), kind, reporter, action, status, category, diagnostic, effect };
}

function eventResponse(event: TracedEvent): TraceEvent {
  return { seq: event.seq, type: event.type, created_at: timestamp(event.createdAt), data: event.data };
}
