import { classifyReply } from './classify-reply.js';
import type { ReplyCategory } from './reply-rules.js';

/**
 * Milliseconds that the parts of an attempt took, those that it went through; the last may have been cut short. `mail` is
 * MAIL and RCPT, `data` DATA and the content, `reply` the wait for the final reply. What precedes MAIL happens once a
 * connection: an attempt over one that was open has none of it. `dns` is there where the DNS was asked. What `durationMs`
 * has beyond them all was spent waiting for a connection.
 */
export type AttemptTimings = Readonly<
  Partial<Record<'dns' | 'connect' | 'greeting' | 'ehlo' | 'tls' | 'auth' | 'mail' | 'data' | 'reply', number>>
>;

/** What one attempt saw of the remote side. Absent parts were never reached. */
export interface AttemptDetail {
  /** Name of the host that was talked to, as configured or as the MX record names it. */
  readonly host?: string;
  /** IP address and port of the connection. */
  readonly address?: string;
  readonly tls?: { readonly protocol: string; readonly cipher: string; readonly authorized: boolean };
  /** The reply that decided, e.g. 250, with its enhanced status code (RFC 3463) and its text, cut to 1 KB. */
  readonly replyCode?: number;
  readonly enhancedCode?: string;
  readonly replyText?: string;
  readonly timings?: AttemptTimings;
  readonly durationMs: number;
}

/**
 * What became of one recipient in one attempt.
 *
 * `deferred` is everything that may go better later, unknown trouble included. `outcomeUnknown` is true where the
 * message was handed over completely and the final reply was never read: the next attempt may deliver it twice.
 */
export type DeliveryOutcome =
  | {
      readonly kind: 'delivered';
      /** The recipient has reported it as spam on the spot. Test addresses do; real reports come by mail, later. */
      readonly complained?: true;
      readonly detail: AttemptDetail;
    }
  | {
      readonly kind: 'deferred';
      readonly reason: string;
      readonly retryAfterSeconds?: number;
      readonly outcomeUnknown: boolean;
      /** No host of the destination could be talked to: it concerns all mail of the lane, not this recipient. */
      readonly isSiteTrouble?: boolean;
      readonly category?: ReplyCategory;
      readonly detail: AttemptDetail;
    }
  | {
      readonly kind: 'bounced';
      readonly reason: string;
      /** Only `bad-address` may suppress the recipient. Default `unknown`. */
      readonly category?: ReplyCategory;
      /** Set where nobody refused it but we cannot send it: the reason that `email.failed` gives. Not for transports. */
      readonly failure?: string;
      readonly detail: AttemptDetail;
    };

/** The address itself is bad: no mail should go there any more. */
export function suppresses(outcome: DeliveryOutcome): boolean {
  return outcome.kind === 'bounced' && categoryOf(outcome) === 'bad-address';
}

/** What a negative outcome is about: as the transport says, or else by the reply it saw. */
export function categoryOf({ category, detail }: Exclude<DeliveryOutcome, { kind: 'delivered' }>): ReplyCategory {
  if (category !== undefined) return category;
  if (detail.replyCode === undefined) return 'unknown';
  return classifyReply(detail.replyCode, detail.enhancedCode, detail.replyText ?? '').category;
}
