import type { Withheld } from '#emails';
import { classifyReply } from './classify-reply.js';
import type { ReplyCategory } from './classify-reply.js';

/** A recipient that this worker has claimed. No other worker delivers it while the lease is valid. */
export interface ClaimedRecipient {
  readonly emailId: string;
  readonly teamId: string;
  readonly domainId: string;
  readonly recipientNo: number;
  readonly address: string;
  /** The envelope sender; empty for the null sender. Absent or null: a return path of its own. */
  readonly mailFrom?: string | null;
  /** Whether recipients of the email may get different content. Absent or null: they get the same. */
  readonly isPersonal?: boolean | null;
  /** Absent or null: transactional mail. */
  readonly isBulk?: boolean | null;
  /** Bytes of the email's content. It bounds the memory for content. */
  readonly size: number;
  /** Number of the attempt that this claim begins, from 1. */
  readonly attempt: number;
  /** Fencing number: it grows with every claim. An outcome under an older lease is ignored. */
  readonly lease: number;
  readonly queuedAt: Date;
  /** Claimed as the probe after a pause of the lane, to test whether its site is up again. */
  readonly isProbe?: boolean;
}

/** An attempt that has ended. Without `retryAt` it was the last one. */
export interface FinishedAttempt {
  readonly recipient: ClaimedRecipient;
  readonly outcome: DeliveryOutcome;
  readonly startedAt: Date;
  readonly retryAt: Date | undefined;
}

/** One message as it goes over the wire, with the recipients that get it in one SMTP transaction. */
export interface OutboundMessage {
  readonly emailId: string;
  /** The team that sent it. Scarce resources are shared fairly among teams. */
  readonly teamId: string;
  /** The sending domain. */
  readonly domainId?: string;
  /** Bulk mail waits behind transactional mail for connections: see `BulkTurns`. */
  readonly isBulk?: boolean;
  /** The lane in which it waited. */
  readonly lane: string;
  /** RFC 5321 reverse-path without brackets; empty for the null sender. */
  readonly mailFrom: string;
  /** Envelope recipients, at least one, all in the same lane. */
  readonly recipients: readonly string[];
  /** Bytes of the email as accepted. This is about the size of its content. */
  readonly size: number;
  /** `enforced`: bounce the message rather than send it unencrypted. Default `opportunistic`. */
  readonly tls?: 'opportunistic' | 'enforced';
  /** Reads the tags of the email, for a transport that sends by them. */
  tags?(): Promise<readonly { readonly name: string; readonly value: string }[]>;
  /**
   * Reads, renders and signs the content. It waits while other content fills the memory, so a transport calls it only
   * when the receiving host is ready for this message. It may be called again after `release`. If it rejects, `deliver`
   * rejects with the same error. `onGranted` is called when the memory is granted, before the content is read.
   */
  content(onGranted?: () => void): Promise<MessageContent>;
}

/** The bytes of a message. They count against the memory for content until they are released. */
export interface MessageContent {
  /** RFC 5322 bytes: CRLF line ends, signed, not dot-stuffed, ending with CRLF. */
  readonly bytes: Uint8Array;
  /** Whether other mail waits for this memory. A transport should then give up a host that makes no progress. */
  readonly isInDemand: boolean;
  /**
   * To be called when the last byte has been sent, before its reply arrives, so that the next message can be read.
   * Content that was not released is released when `deliver` settles. A second call does nothing.
   */
  release(): void;
}

/** How a connection was protected, and how the host was verified. */
export interface ConnectionTls {
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
  /** The pool whose address it left from, and that address. */
  readonly pool?: string;
  readonly sourceAddress?: string;
  readonly tls?: ConnectionTls;
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
 * `deferred` covers everything that may succeed later, including unknown errors. `outcomeUnknown` is true if the
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
       * Set if no server refused the message but we cannot send it: the reason given in `email.failed`. Not for
       * transports.
       */
      readonly failure?: string;
      /** Set if nothing may be sent to the recipient any more. Not for transports. */
      readonly withheld?: Withheld;
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

/**
 * Nothing of the message was sent, because the transport is stopping or has no connection for it. The message waits as
 * if it had never been handed over.
 */
export class NotAttemptedError extends Error {
  constructor() {
    super('Nothing was sent');
    this.name = 'NotAttemptedError';
  }
}

/** The email can never be sent, and the reason is on our side. Retrying would only delay the report of it. */
export class UndeliverableError extends Error {
  constructor(
    /** For `email.failed` (docs/wire-contract.md section 22.4). */
    readonly failure: string,
    message: string,
  ) {
    super(message);
    this.name = 'UndeliverableError';
  }
}
