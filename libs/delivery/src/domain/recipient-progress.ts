import type { RecipientChange } from '#emails';
import { BounceClass, bounceOfDelay, bounceOfRefusal, undetermined } from './bounce.js';
import { AttemptDetail, categoryOf, DeliveryOutcome } from './delivery-outcome.js';
import { FinishedAttempt } from './finished-attempt.js';

type Deferral = Extract<DeliveryOutcome, { kind: 'deferred' }>;
type Refusal = Extract<DeliveryOutcome, { kind: 'bounced' }>;

/** The change of the recipient's state after an attempt. */
export function changeAfter(attempt: FinishedAttempt, now: Date): RecipientChange {
  const { recipient, outcome } = attempt;
  const base = { emailId: recipient.emailId, recipientNo: recipient.recipientNo, at: now };
  switch (outcome.kind) {
    case 'delivered':
      return { ...base, status: 'delivered', event: 'email.delivered', data: null };
    case 'bounced': {
      if (outcome.failure !== undefined) {
        return { ...base, status: 'failed', event: 'email.failed', data: { failed: { reason: outcome.failure } } };
      }
      const data = bounceData(bounceOfRefusal(categoryOf(outcome)), outcome);
      return { ...base, status: 'bounced', event: 'email.bounced', data };
    }
    case 'deferred':
      if (attempt.retryAt !== undefined)
        return { ...base, status: 'delayed', event: 'email.delivery_delayed', data: null };
      return { ...base, status: 'bounced', event: 'email.bounced', data: bounceData(lastBounce(outcome), outcome) };
  }
}

/** The change of the recipient's state after its complaint. */
export function complaintAfter({ recipient }: FinishedAttempt, now: Date): RecipientChange {
  const { emailId, recipientNo } = recipient;
  return { emailId, recipientNo, at: now, status: 'complained', event: 'email.complained', data: null };
}

/**
 * The bounce once the retry time has run out: Transient after a deferring reply, Undetermined where the host never
 * replied.
 */
function lastBounce(outcome: Deferral): BounceClass {
  return outcome.detail.replyCode === undefined ? undetermined : bounceOfDelay(categoryOf(outcome));
}

function bounceData({ type, subType }: BounceClass, { reason, detail }: Deferral | Refusal): Record<string, unknown> {
  return { bounce: { message: reason, type, subType, diagnosticCode: diagnosticCode(detail) } };
}

function diagnosticCode(detail: AttemptDetail): string[] {
  if (detail.replyCode === undefined) return [];
  const code = detail.enhancedCode === undefined ? `${detail.replyCode}` : `${detail.replyCode} ${detail.enhancedCode}`;
  return [`smtp; ${code} ${detail.replyText ?? ''}`.trimEnd()];
}
