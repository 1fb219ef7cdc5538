import { FirstShare } from '../broadcast.js';

/**
 * Why a contact of the audience gets no email: it is unsubscribed from all mail, it is not subscribed to the topic, its
 * address is suppressed, it was deleted since, or no email can be made of its address and values.
 */
export const skipReasons = ['unsubscribed', 'not_subscribed', 'suppressed', 'deleted', 'invalid'] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Why a broadcast has paused itself. */
export type PauseReason =
  | 'daily_quota_exceeded'
  | 'monthly_quota_exceeded'
  | 'domain_not_verified'
  | 'segment_deleted'
  | 'api_key_deleted'
  | 'too_many_bounces'
  | 'too_many_complaints'
  | 'reputation_guard'
  | 'first_share_sent'
  | 'unexpected_fault';

/** After this time a broadcast whose domain was not verified is tried again. */
const retryDomainMs = 5 * 60_000;

/** The reason of a refusal that concerns the whole broadcast. */
export function reasonOfRefusal(code: string): PauseReason {
  return code === 'daily_quota_exceeded' || code === 'monthly_quota_exceeded' ? code : 'domain_not_verified';
}

/** When a broadcast that a refusal has paused resumes. Quotas are of days and months in UTC. */
export function retryAt(reason: PauseReason, now: Date): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  switch (reason) {
    case 'daily_quota_exceeded':
      return new Date(Date.UTC(year, month, day + 1));
    case 'monthly_quota_exceeded':
      return new Date(Date.UTC(year, month + 1, 1));
    default:
      return new Date(now.getTime() + retryDomainMs);
  }
}

/** The results of a first share up to now. */
export interface ShareState {
  /** Whether all of it was accepted. */
  readonly isReady: boolean;
  readonly accepted: number;
  readonly delivered: number;
  readonly bounced: number;
  readonly complained: number;
  /** Whether the guard of reputations slows bulk mail of the sending domain, at one provider or more. */
  readonly isGuarded: boolean;
  /** Why the broadcast has paused itself before. A user resumed it since, and so has decided about these reasons. */
  readonly pausedFor: readonly PauseReason[];
}

/** Before this number of emails has been delivered or has bounced, percentages of them say little. */
const minKnown = 100;

/**
 * Why a first share pauses the broadcast, while it is sent and while the rest waits: the guard of reputations slows bulk
 * mail of the domain, or bounces or complaints exceed a limit among the emails that were delivered or bounced, or, once
 * all of it was accepted, among all of it.
 */
export function reasonToHold(
  { maxBouncePercent, maxComplaintPercent }: FirstShare,
  state: ShareState,
): PauseReason | undefined {
  const exceeded: PauseReason[] = [];
  if (state.isGuarded) exceeded.push('reputation_guard');
  if (exceeds(state.bounced, maxBouncePercent, state)) exceeded.push('too_many_bounces');
  if (exceeds(state.complained, maxComplaintPercent, state)) exceeded.push('too_many_complaints');
  return exceeded.find((reason) => !state.pausedFor.includes(reason));
}

function exceeds(count: number, percent: number, { isReady, accepted, delivered, bounced }: ShareState): boolean {
  const known = delivered + bounced;
  if (isReady && count * 100 > percent * accepted) return true;
  // Enough emails that one bounce alone does not exceed the limit.
  return known >= minKnown && known * percent >= 100 * Math.sign(percent) && count * 100 > percent * known;
}
