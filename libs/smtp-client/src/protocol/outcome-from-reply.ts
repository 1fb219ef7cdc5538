import { classifyReply } from '#delivery';
import type { AttemptDetail, AttemptTimings, DeliveryOutcome } from '#delivery';
import { activityOf } from './smtp-failure.js';
import type { SmtpFailure } from './smtp-failure.js';
import type { SmtpPhase } from './smtp-options.js';
import type { SmtpReply } from './smtp-reply-parser.js';

/** Properties of the connection, which are the same for all its messages, and the timings. */
export interface ConnectionDetail {
  readonly host: string;
  readonly address?: string;
  readonly tls?: AttemptDetail['tls'];
  readonly timings?: AttemptTimings;
}

const maxReplyTextLength = 1_024;

/**
 * The outcome for a recipient that a reply decides.
 *
 * A 5yz reply is final only if it concerns this sender, recipient or message: in reply to MAIL, RCPT, DATA or the final
 * dot. In reply to the greeting, EHLO, STARTTLS or AUTH it concerns the site or us. The same holds in any phase for the
 * codes that ask for other credentials (RFC 4954 section 6). `replyRules` know servers that send 5yz for a temporary
 * refusal, such as "too many recipients" (RFC 5321 section 4.5.3.1.10).
 */
export function outcomeFromReply(
  phase: SmtpPhase,
  reply: SmtpReply,
  connection: ConnectionDetail,
  durationMs: number,
): DeliveryOutcome {
  const detail = detailOf(reply, connection, durationMs);
  if (reply.isPositive && phase === 'dataTermination') return { kind: 'delivered', detail };
  const reason = `${connection.host} said: ${reply.toString()} (while ${activityOf(phase)})`.slice(
    0,
    maxReplyTextLength,
  );
  const { category, isTemporary } = classifyReply(reply.code, reply.enhancedCode, reply.text);
  return isFinal(phase, reply) && !isTemporary
    ? { kind: 'bounced', reason, category, detail }
    : { kind: 'deferred', reason, outcomeUnknown: false, category, detail };
}

/** The server cannot encrypt and the sender requires it (RFC 5248 section 2.4, X.7.10 of the IANA registry). */
const encryptionNeeded = '5.7.10';

/**
 * The outcome for a recipient when the connection ended before any reply decided it. It is temporary, except if the
 * server cannot do what the sender requires. A failure before the first MAIL concerns the site and says nothing about
 * the recipient.
 */
export function outcomeFromFailure(
  failure: SmtpFailure,
  outcomeUnknown: boolean,
  connection: ConnectionDetail,
  durationMs: number,
): DeliveryOutcome {
  const about = {
    ...connection,
    address: failure.address ?? connection.address,
    tls: failure.tls ?? connection.tls,
    timings: failure.timings ?? connection.timings,
  };
  if (failure.isFinal) {
    return {
      kind: 'bounced',
      reason: failure.message,
      detail: { ...about, enhancedCode: encryptionNeeded, durationMs },
    };
  }
  const isSiteTrouble = handshake.has(failure.phase) && !failure.isOurs;
  if (failure.reply !== undefined) {
    return {
      kind: 'deferred',
      reason: `${about.host} said: ${failure.reply.toString()} (while ${activityOf(failure.phase)})`.slice(
        0,
        maxReplyTextLength,
      ),
      outcomeUnknown: false,
      isSiteTrouble,
      category: classifyReply(failure.reply.code, failure.reply.enhancedCode, failure.reply.text).category,
      detail: detailOf(failure.reply, about, durationMs),
    };
  }
  return { kind: 'deferred', reason: failure.message, outcomeUnknown, isSiteTrouble, detail: { ...about, durationMs } };
}

function isFinal(phase: SmtpPhase, reply: SmtpReply): boolean {
  if (reply.code < 500 || asksForCredentials.has(reply.code)) return false;
  switch (phase) {
    case 'mail':
    case 'rcpt':
    case 'dataInitiation':
    case 'dataBlock':
    case 'dataTermination':
      return true;
    default:
      return false;
  }
}

const handshake: ReadonlySet<SmtpPhase> = new Set(['connect', 'banner', 'ehlo', 'starttls', 'auth']);

/** Codes for: authentication required, mechanism too weak, credentials invalid, encryption required. */
const asksForCredentials: ReadonlySet<number> = new Set([530, 534, 535, 538]);

function detailOf(reply: SmtpReply, connection: ConnectionDetail, durationMs: number): AttemptDetail {
  const text = reply.text;
  return {
    host: connection.host,
    address: connection.address,
    tls: connection.tls,
    replyCode: reply.code,
    enhancedCode: reply.enhancedCode,
    replyText: text.length > maxReplyTextLength ? text.slice(0, maxReplyTextLength) : text,
    timings: connection.timings,
    durationMs,
  };
}
