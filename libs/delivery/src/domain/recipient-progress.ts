import type { RecipientChange } from '#emails';
import { AttemptDetail, categoryOf, DeliveryOutcome, FinishedAttempt } from './attempt.js';
import { ReplyCategory } from './classify-reply.js';

/**
 * Waits before attempt 2, 3, ... in minutes. The first waits are minutes, because greylisting servers want to see the
 * message again soon. Later waits are hours, because trouble that lasts an hour rarely ends within a minute.
 */
const waits = [1, 3, 5, 10, 20, 30, 60, 90, 120, 180, 240];
/**
 * RFC 5321 section 4.5.4.1 asks for four to five days. Every large sender gives up sooner, and customers want to know.
 */
export const retryHorizonMs = 48 * 3_600_000;
const jitter = 0.2;
/** Applies however late the mail is: after a long outage of our own, greylisting servers still see enough attempts. */
const minAttempts = 4;

/**
 * When to try again after attempt number `attempt` (from 1) was deferred; undefined if it was the last one.
 *
 * The wait varies by up to a fifth in either direction, so that mail that failed together does not return together. A
 * time named by the receiver is honored, but never beyond the horizon.
 */
export function nextAttemptAt(
  attempt: number,
  queuedAt: Date,
  now: Date,
  random: number,
  retryAfterSeconds = 0,
): Date | undefined {
  const minutes = waits[Math.min(attempt, waits.length) - 1] as number;
  const wait = Math.max(minutes * 60_000 * (1 - jitter + 2 * jitter * random), retryAfterSeconds * 1_000);
  const next = now.getTime() + wait;
  const isLate = next > queuedAt.getTime() + retryHorizonMs;
  return isLate && attempt >= minAttempts ? undefined : new Date(next);
}

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
      if (outcome.withheld !== undefined) {
        const { status, data } = outcome.withheld;
        return { ...base, status, event: `email.${status}`, data };
      }
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

/** Type and subtype of a bounce as the contract names them (docs/wire-contract.md section 22.4). */
export interface BounceClass {
  readonly type: 'Permanent' | 'Transient' | 'Undetermined';
  readonly subType:
    | 'General'
    | 'NoEmail'
    | 'MailboxFull'
    | 'MessageTooLarge'
    | 'ContentRejected'
    | 'AttachmentRejected'
    | 'Undetermined';
}

/**
 * The bounce for a refusal that ended a recipient. Only a bad address is Permanent/NoEmail, and only that suppresses.
 * Refusals because of the mailbox's present state, this message or our reputation are Transient, since another message
 * may be accepted.
 */
export function bounceOfRefusal(category: ReplyCategory): BounceClass {
  switch (category) {
    case 'bad-address':
      return { type: 'Permanent', subType: 'NoEmail' };
    case 'policy':
    case 'unknown':
      return { type: 'Permanent', subType: 'General' };
    default:
      return bounceOfDelay(category);
  }
}

/** The bounce for a deferral that lasted until the retry time ran out. */
export function bounceOfDelay(category: ReplyCategory): BounceClass {
  switch (category) {
    case 'mailbox-full':
      return { type: 'Transient', subType: 'MailboxFull' };
    case 'too-large':
      return { type: 'Transient', subType: 'MessageTooLarge' };
    case 'content':
      return { type: 'Transient', subType: 'ContentRejected' };
    case 'attachment':
      return { type: 'Transient', subType: 'AttachmentRejected' };
    default:
      return { type: 'Transient', subType: 'General' };
  }
}

export const undetermined: BounceClass = { type: 'Undetermined', subType: 'Undetermined' };
