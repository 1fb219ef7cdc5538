import { createHash } from 'node:crypto';
import { acceptanceSpanId, traceIdOf } from '#emails';
import { SpanAttributes, Tracing } from '#platform/tracing';
import { Injectable } from '@nestjs/common';
import { FinishedAttempt } from '../domain/finished-attempt.js';

/**
 * The spans of an email's recipients: `deliver` from acceptance to the last outcome, in it `queue` until the first attempt, and
 * one `attempt` each. They hold ids, numbers and host names, never addresses or replies.
 */
@Injectable()
export class AttemptTraces {
  constructor(private readonly tracing: Tracing) {}

  /** Called once the outcomes are durable. */
  record(attempts: readonly FinishedAttempt[]): void {
    if (!this.tracing.isOn) return;
    for (const attempt of attempts) this.recordOne(attempt);
  }

  private recordOne({ recipient, outcome, startedAt, retryAt }: FinishedAttempt): void {
    const { emailId, recipientNo, queuedAt, attempt } = recipient;
    const ids = { traceId: traceIdOf(emailId), spanId: recipientSpanId(emailId, recipientNo) };
    const endedAt = new Date(startedAt.getTime() + outcome.detail.durationMs);
    const hasFailed = outcome.kind !== 'delivered';
    if (attempt === 1) {
      this.tracing.record({ name: 'queue', parent: ids, startedAt: queuedAt, endedAt: startedAt, attributes: {} });
    }
    const attributes = attributesOf(attempt, outcome);
    this.tracing.record({ name: 'attempt', parent: ids, startedAt, endedAt, attributes, hasFailed });
    if (retryAt !== undefined) return;
    this.tracing.record({
      name: 'deliver',
      ids,
      parent: { traceId: ids.traceId, spanId: acceptanceSpanId(emailId) },
      startedAt: queuedAt,
      endedAt,
      attributes: { 'email.id': emailId, 'email.recipient': recipientNo, 'delivery.outcome': outcome.kind },
      hasFailed,
    });
  }
}

function attributesOf(attempt: number, outcome: FinishedAttempt['outcome']): SpanAttributes {
  return {
    'delivery.attempt': attempt,
    'delivery.outcome': outcome.kind,
    'server.address': outcome.detail.host,
    'smtp.reply_code': outcome.detail.replyCode,
    'delivery.category': outcome.kind === 'delivered' ? undefined : outcome.category,
  };
}

/** Follows from the recipient, like the ids of its email, so that spans of all attempts find their parent. */
function recipientSpanId(emailId: string, recipientNo: number): string {
  return createHash('sha256').update(`${emailId} ${recipientNo}`).digest('hex').slice(0, 16);
}
