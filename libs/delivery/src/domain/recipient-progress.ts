import type { RecipientChange } from '#emails';
import { isBadAddress } from './bad-address.js';
import { AttemptDetail } from './delivery-outcome.js';
import { FinishedAttempt } from './finished-attempt.js';

/** What the end of an attempt means for the recipient: undefined where it changes nothing anyone is told of. */
export function changeAfter(attempt: FinishedAttempt, now: Date): RecipientChange {
  const { recipient, outcome } = attempt;
  const base = { emailId: recipient.emailId, recipientNo: recipient.recipientNo, at: now };
  switch (outcome.kind) {
    case 'delivered':
      return { ...base, status: 'delivered', event: 'email.delivered', data: null };
    case 'bounced':
      return { ...base, status: 'bounced', event: 'email.bounced', data: permanent(attempt) };
    case 'deferred':
      if (attempt.retryAt !== undefined)
        return { ...base, status: 'delayed', event: 'email.delivery_delayed', data: null };
      return { ...base, status: 'bounced', event: 'email.bounced', data: lastBounce(attempt) };
  }
}

/** What a recipient's complaint means for it. */
export function complaintAfter({ recipient }: FinishedAttempt, now: Date): RecipientChange {
  const { emailId, recipientNo } = recipient;
  return { emailId, recipientNo, at: now, status: 'complained', event: 'email.complained', data: null };
}

function permanent(attempt: FinishedAttempt): Record<string, unknown> {
  return bounce('Permanent', isBadAddress(attempt.outcome.detail) ? 'NoEmail' : 'General', attempt);
}

/** Time ran out. A receiver that kept saying "later" is Transient; one that never answered is Undetermined. */
function lastBounce(attempt: FinishedAttempt): Record<string, unknown> {
  return attempt.outcome.detail.replyCode === undefined
    ? bounce('Undetermined', 'Undetermined', attempt)
    : bounce('Transient', 'General', attempt);
}

function bounce(type: string, subType: string, { outcome }: FinishedAttempt): Record<string, unknown> {
  const reason = outcome.kind === 'delivered' ? '' : outcome.reason;
  return { bounce: { message: reason, type, subType, diagnosticCode: diagnosticCode(outcome.detail) } };
}

function diagnosticCode(detail: AttemptDetail): string[] {
  if (detail.replyCode === undefined) return [];
  const code = detail.enhancedCode === undefined ? `${detail.replyCode}` : `${detail.replyCode} ${detail.enhancedCode}`;
  return [`smtp; ${code} ${detail.replyText ?? ''}`.trimEnd()];
}
