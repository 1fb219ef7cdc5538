import type { RecipientChange } from '#emails';
import { BounceClass, bounceOfDelay, bounceOfRefusal, undetermined } from './bounce.js';
import { AttemptDetail, categoryOf, DeliveryOutcome } from './delivery-outcome.js';
import { FinishedAttempt } from './finished-attempt.js';

type Deferral = Extract<DeliveryOutcome, { kind: 'deferred' }>;
type Refusal = Extract<DeliveryOutcome, { kind: 'bounced' }>;

/** What the end of an attempt means for the recipient: undefined where it changes nothing anyone is told of. */
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

/** What a recipient's complaint means for it. */
export function complaintAfter({ recipient }: FinishedAttempt, now: Date): RecipientChange {
  const { emailId, recipientNo } = recipient;
  return { emailId, recipientNo, at: now, status: 'complained', event: 'email.complained', data: null };
}

/** Time ran out. A receiver that kept saying "later" is Transient; one that never answered is Undetermined. */
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
