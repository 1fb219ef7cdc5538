/**
 * Why a contact of the audience gets no email: it is unsubscribed from all mail, it does not have the topic, its address is
 * suppressed, it was deleted since, or no email can be made of its address and values.
 */
export const skipReasons = ['unsubscribed', 'not_subscribed', 'suppressed', 'deleted', 'invalid'] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Why a broadcast has paused itself. */
export type PauseReason =
  | 'daily_quota_exceeded'
  | 'monthly_quota_exceeded'
  | 'domain_not_verified'
  | 'segment_deleted'
  | 'too_many_bounces'
  | 'too_many_complaints'
  | 'first_share_sent'
  | 'unexpected_fault';

/** The reason of a refusal that concerns the whole broadcast. */
export function reasonOfRefusal(code: string): PauseReason {
  return code === 'daily_quota_exceeded' || code === 'monthly_quota_exceeded' ? code : 'domain_not_verified';
}
