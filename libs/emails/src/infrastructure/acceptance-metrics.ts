import { GroupCommitMetrics, Metrics } from '#observability/metrics';
import { FinishedSpan, Tracing } from '#observability/tracing';
import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { AcceptanceObserver } from '../application/ports/outbound-queue.port.js';
import { AcceptedEmail } from '../domain/accepted-email.js';
import { acceptanceSpanId, traceIdOf } from '../domain/email.js';

@Injectable()
export class AcceptanceMetrics extends AcceptanceObserver {
  private readonly emails: Counter<'door'>;
  private readonly durations: Histogram;

  constructor(
    private readonly tracing: Tracing,
    private readonly groups: GroupCommitMetrics,
    metrics: Metrics,
  ) {
    super();
    this.emails = metrics.counter('postrider_emails_accepted_total', 'Emails accepted for sending', ['door']);
    this.durations = metrics.histogram(
      'postrider_acceptance_duration_seconds',
      'From a checked request to its durable commit',
      [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    );
  }

  completed(durationMs: number): void {
    this.durations.observe(durationMs / 1_000);
  }

  accepted(emails: readonly AcceptedEmail[]): void {
    if (!this.tracing.isOn) return;
    for (const email of emails) this.tracing.record(spanOf(email));
  }

  committed(requests: number, emails: readonly AcceptedEmail[]): void {
    for (const email of emails) this.emails.inc({ door: doorOf(email) });
    this.groups.observe('acceptance', requests);
  }
}

/** From the request that brought the email to its commit. Holds no addresses and no content. */
function spanOf(accepted: AcceptedEmail): FinishedSpan {
  const { id, size, createdAt } = accepted.email;
  return {
    name: 'accept',
    ids: { traceId: traceIdOf(id), spanId: acceptanceSpanId(id) },
    startedAt: createdAt,
    endedAt: new Date(),
    attributes: {
      'email.id': id,
      'email.door': doorOf(accepted),
      'email.recipients': accepted.recipients.length,
      'email.size': size,
    },
    servesRequest: true,
  };
}

/** How an email came in. What the service sends itself came through no door of a customer. */
function doorOf({ email, mime }: AcceptedEmail): 'http' | 'smtp' | 'broadcast' | 'forward' | 'notice' {
  if (email.isBulk === true) return 'broadcast';
  if (email.forwardedFrom !== undefined && email.forwardedFrom !== null) return 'forward';
  if (email.actor.kind === 'service') return 'notice';
  return mime === undefined ? 'http' : 'smtp';
}
