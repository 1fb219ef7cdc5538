import { classifyReply } from './classify-reply.js';
import type { ReplyCategory } from './reply-rules.js';

/** How a connection was protected, and how the host was verified. */
export interface TlsReport {
  /**
   * How the host was verified: by its TLSA records, by its domain's MTA-STS policy, or by a certificate authority as
   * the operator requires; not at all (`opportunistic`); or `none`: the connection was not encrypted.
   */
  readonly level: 'dane' | 'mta-sts' | 'verified' | 'opportunistic' | 'none';
  /** `TLSv1.3` */
  readonly protocol?: string;
  readonly cipher?: string;
  /** The certificate passed the check of its level; for `opportunistic`, the check against the public authorities. */
  readonly authorized: boolean;
  /** Why the certificate failed the check. */
  readonly certificateError?: string;
  /** Why the connection was not encrypted. */
  readonly plaintextReason?: string;
  /** Why the domain's MTA-STS policy would have refused the connection, if it were not in testing mode. */
  readonly policyFailure?: string;
}

/**
 * Milliseconds that the phases of an attempt took. Only phases that were reached are present, and the last may have
 * been cut short. `mail` is MAIL and RCPT, `data` is DATA and the content, `reply` is the wait for the final reply.
 * Phases before MAIL happen once per connection, so an attempt over an open connection has none of them. `dns` is
 * present if the DNS was queried. The rest of `durationMs` was spent waiting for a connection.
 */
export type AttemptTimings = Readonly<
  Partial<Record<'dns' | 'connect' | 'greeting' | 'ehlo' | 'tls' | 'auth' | 'mail' | 'data' | 'reply', number>>
>;

/** What one attempt learned from the remote side. Parts that were never reached are absent. */
export interface AttemptDetail {
  /** Name of the host that was contacted, as configured or as in the MX record. */
  readonly host?: string;
  /** IP address and port of the connection. */
  readonly address?: string;
  readonly tls?: TlsReport;
  /** The decisive reply, for example 250, with its enhanced status code (RFC 3463) and its text, cut to 1 KB. */
  readonly replyCode?: number;
  readonly enhancedCode?: string;
  readonly replyText?: string;
  readonly timings?: AttemptTimings;
  readonly durationMs: number;
}

/**
 * The result for one recipient of one attempt.
 *
 * `deferred` covers everything that may succeed later, including unknown errors. `outcomeUnknown` is true where the
 * message was handed over completely but the final reply was never read: the next attempt may deliver it twice.
 */
export type DeliveryOutcome =
  | {
      readonly kind: 'delivered';
      /** The recipient reported it as spam at once. Only test addresses do this; real reports come later by mail. */
      readonly complained?: true;
      readonly detail: AttemptDetail;
    }
  | {
      readonly kind: 'deferred';
      readonly reason: string;
      readonly retryAfterSeconds?: number;
      readonly outcomeUnknown: boolean;
      /** No host of the destination could be reached. This concerns all mail of the lane, not only this recipient. */
      readonly isSiteTrouble?: boolean;
      readonly category?: ReplyCategory;
      readonly detail: AttemptDetail;
    }
  | {
      readonly kind: 'bounced';
      readonly reason: string;
      /** Only `bad-address` may suppress the recipient. Default `unknown`. */
      readonly category?: ReplyCategory;
      /**
       * Set where no server refused the message but we cannot send it: the reason given in `email.failed`. Not for
       * transports.
       */
      readonly failure?: string;
      readonly detail: AttemptDetail;
    };

/** Whether the address itself is bad, so that it must get no more mail. */
export function suppresses(outcome: DeliveryOutcome): boolean {
  return outcome.kind === 'bounced' && categoryOf(outcome) === 'bad-address';
}

/** Why the recipient was not delivered to: the category from the transport, or else the one of its reply. */
export function categoryOf({ category, detail }: Exclude<DeliveryOutcome, { kind: 'delivered' }>): ReplyCategory {
  if (category !== undefined) return category;
  if (detail.replyCode === undefined) return 'unknown';
  return classifyReply(detail.replyCode, detail.enhancedCode, detail.replyText ?? '').category;
}
