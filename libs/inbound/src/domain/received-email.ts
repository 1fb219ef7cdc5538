import { DomainError } from '#kernel';
import { Verdicts } from './verdicts.js';

export interface ReceivedAttachment {
  readonly id: string;
  readonly filename: string | null;
  /** Bytes, decoded. */
  readonly size: number;
  /** As the sender says, lower case. */
  readonly contentType: string;
  /** What the first bytes show; null if they show nothing. */
  readonly detectedType: string | null;
  readonly contentId: string | null;
  readonly contentDisposition: 'inline' | 'attachment' | null;
}

/** The server that handed the message over. */
export interface SendingServer {
  readonly address: string;
  readonly helo: string;
  /** The version of TLS, such as `TLSv1.3`; null for a connection without TLS. */
  readonly tls: string | null;
}

/** A message that a team received. A message for several teams is one of these for each of them, with one content. */
export interface ReceivedEmail {
  /** UUIDv7. */
  readonly id: string;
  readonly teamId: string;
  /** The domain of the first recipient. */
  readonly domainId: string;
  /** The id of the bytes in the message store. They are the bytes as received, without forged results of ours. */
  readonly contentId: string;
  readonly createdAt: Date;
  /** Bytes of the content, without `trace`. */
  readonly size: number;
  /** Reverse-path without brackets; empty for the null sender. */
  readonly mailFrom: string;
  /** The envelope recipients of this team, as they were given. */
  readonly recipients: readonly string[];
  /** The bare address of the author; empty if there is none. */
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  /** With angle brackets; empty if there is none. */
  readonly messageId: string;
  /** The same for all messages of a team that answer each other. */
  readonly threadId: string;
  readonly attachments: readonly ReceivedAttachment[];
  readonly client: SendingServer;
  readonly verdicts: Verdicts;
  /** Received when the team's quota was used up: kept, and not shown before the quota is raised. */
  readonly isAboveQuota: boolean;
  /** Our header fields (Received, Authentication-Results, …), with CRLF. They stand before the content. */
  readonly trace: string;
}

/**
 * The `data` of `email.received` (docs/wire-contract.md section 22.4): what the email is, and none of its content.
 * Clients index absent values, too: they are null.
 */
export function receivedEventData(email: ReceivedEmail): object {
  return {
    email_id: email.id,
    created_at: email.createdAt.toISOString(),
    from: email.from,
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    received_for: email.recipients,
    message_id: email.messageId,
    subject: email.subject,
    thread_id: email.threadId,
    attachments: email.attachments.map(({ id, filename, contentType, contentDisposition, contentId }) => ({
      id,
      filename,
      content_type: contentType,
      content_disposition: contentDisposition,
      content_id: contentId,
    })),
  };
}

/** The part of a local part after its first `+`, which senders use to tell their mail apart; null if there is none. */
export function plusTagOf(address: string): string | null {
  const local = address.slice(0, Math.max(0, address.lastIndexOf('@')));
  const plus = local.indexOf('+');
  return plus < 1 || plus === local.length - 1 ? null : local.slice(plus + 1);
}

export class EmailAboveQuotaError extends DomainError {
  constructor() {
    super('forbidden', 'email_above_quota', 'This email was received above your quota. Raise the quota to read it.');
  }
}
