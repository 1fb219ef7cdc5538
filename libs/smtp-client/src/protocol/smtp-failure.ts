import type { AttemptTimings, ConnectionTls } from '#delivery';
import type { SmtpPhase } from './smtp-options.js';
import type { SmtpReply } from './smtp-reply-parser.js';

export type SmtpFailureKind = 'refused' | 'timeout' | 'disconnected' | 'protocol' | 'tls' | 'policy';

/** Why a connection ended or could not be opened. It concerns the host as a whole, not a recipient. */
export class SmtpFailure extends Error {
  /** IP address and port, once connected. */
  address?: string;
  /** Name of the host. */
  host?: string;
  /** TLS state at the time of the failure. */
  tls?: ConnectionTls;
  /** Whether it concerns our own address and not the host. */
  isOurs = false;
  /** Durations of the handshake that failed. */
  timings?: AttemptTimings;
  /** Whether a retry cannot succeed: the sender requires TLS and the server does not offer it. */
  isFinal = false;

  constructor(
    readonly kind: SmtpFailureKind,
    readonly phase: SmtpPhase,
    message: string,
    /** The reply that caused the failure, if there was one. */
    readonly reply?: SmtpReply,
  ) {
    super(message);
  }
}

const activities: Record<SmtpPhase, string> = {
  connect: 'connecting',
  banner: 'waiting for the greeting',
  ehlo: 'saying EHLO',
  starttls: 'starting TLS',
  auth: 'authenticating',
  mail: 'sending MAIL FROM',
  rcpt: 'sending RCPT TO',
  dataInitiation: 'sending DATA',
  dataBlock: 'sending the message',
  dataTermination: 'waiting for the reply to the message',
  quit: 'sending QUIT',
  idle: 'waiting for a message',
};

/** Describes the activity of a phase, to follow "while". */
export function activityOf(phase: SmtpPhase): string {
  return activities[phase];
}

/** What the codes of failed connections mean. The code stands behind it, because operators search for it. */
const meanings: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the host refused the connection: nothing listens there'],
  ['ECONNRESET', 'the host closed the connection without a word'],
  ['EPIPE', 'the host closed the connection'],
  ['EHOSTUNREACH', 'no route leads to the host'],
  ['ENETUNREACH', 'no route leads to the network of the host'],
  ['ETIMEDOUT', 'the host did not answer'],
]);

/** A cause in plain words: a code of the system, or a message that is left as it is. */
export function plainCause(cause: string): string {
  const meaning = meanings.get(cause);
  return meaning === undefined ? cause : `${meaning} (${cause})`;
}
