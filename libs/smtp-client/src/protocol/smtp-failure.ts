import type { AttemptTimings, TlsReport } from '#delivery';
import type { SmtpPhase } from './smtp-options.js';
import type { SmtpReply } from './smtp-reply.js';

export type SmtpFailureKind = 'refused' | 'timeout' | 'disconnected' | 'protocol' | 'tls' | 'policy';

/** Why a connection ended or never came to be. Concerns the host as a whole, not a recipient. */
export class SmtpFailure extends Error {
  /** IP address and port, once connected. */
  address?: string;
  /** Name of the host that it concerns. */
  host?: string;
  /** How far TLS had come. */
  tls?: TlsReport;
  /** It concerns our own address, not the host. */
  isOurs = false;
  /** Of the handshake that it ended. */
  timings?: AttemptTimings;
  /** Nothing will mend it: the sender insists on TLS and the server has none. */
  isFinal = false;

  constructor(
    readonly kind: SmtpFailureKind,
    readonly phase: SmtpPhase,
    message: string,
    /** The reply that ended it, where one did. */
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

/** What was being done in a phase, to follow "while". */
export function activityOf(phase: SmtpPhase): string {
  return activities[phase];
}
