import { timestamp } from '#platform/http';
import {
  EmailTrace,
  holdOf,
  RecipientTrace,
  TracedAttempt,
  TracedEvent,
  TracedReport,
} from '../../domain/recipient-trace.js';

export function traceAnswer(trace: EmailTrace, now: Date): Record<string, unknown> {
  return {
    object: 'trace',
    email_id: trace.emailId,
    created_at: timestamp(trace.createdAt),
    scheduled_at: trace.scheduledAt === null ? null : timestamp(trace.scheduledAt),
    events: trace.events.map(eventAnswer),
    recipients: trace.recipients.map((recipient) => recipientAnswer(recipient, trace.scheduledAt, now)),
  };
}

function recipientAnswer(recipient: RecipientTrace, scheduledAt: Date | null, now: Date): Record<string, unknown> {
  const { place } = recipient;
  const hold = holdOf(recipient, scheduledAt, now);
  return {
    recipient: recipient.address,
    status: recipient.status,
    queued_at: place === null ? null : timestamp(place.queuedAt),
    lane: place === null ? null : place.lane,
    next_attempt_at: nextAttemptOf(recipient, hold?.until ?? null),
    held_by:
      hold === undefined
        ? null
        : { kind: hold.kind, until: hold.until === null ? null : timestamp(hold.until), reason: hold.reason },
    attempts: recipient.attempts.map(attemptAnswer),
    reports: recipient.reports.map(reportAnswer),
    events: recipient.events.map(eventAnswer),
  };
}

function nextAttemptOf({ place }: RecipientTrace, until: Date | null): string | null {
  if (until !== null) return timestamp(until);
  return place === null ? null : timestamp(place.dueAt);
}

function attemptAnswer(attempt: TracedAttempt): Record<string, unknown> {
  const { replyCode, enhancedCode, replyText } = attempt;
  return {
    attempt: attempt.attempt,
    started_at: timestamp(attempt.startedAt),
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome === 'unknown' ? 'deferred' : attempt.outcome,
    outcome_unknown: attempt.outcome === 'unknown',
    category: attempt.category,
    reason: attempt.reason,
    host: attempt.host,
    address: attempt.address,
    tls: attempt.tls,
    reply: replyCode === null ? null : { code: replyCode, enhanced_code: enhancedCode, text: replyText },
    timings_ms: attempt.timings,
  };
}

function reportAnswer(report: TracedReport): Record<string, unknown> {
  const { receivedAt, kind, reporter, action, status, category, diagnostic, effect } = report;
  return { received_at: timestamp(receivedAt), kind, reporter, action, status, category, diagnostic, effect };
}

function eventAnswer(event: TracedEvent): Record<string, unknown> {
  return { seq: event.seq, type: event.type, created_at: timestamp(event.createdAt), data: event.data };
}
