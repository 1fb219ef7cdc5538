import { PlaceLimits } from '../../domain/connection-places.js';
import { WorkLimits } from '../../domain/work-allowance.js';
import { ReceptionLimits } from './reception.js';

/** Limits for one client. Times in ms. */
export interface SmtpLimits {
  /** RFC 5321 section 4.5.3.2.7 requires at least five minutes. */
  readonly idleMs: number;
  /** From the first packet to the greeting: for the PROXY header and the TLS handshake. */
  readonly arrivalMs: number;
  /** From the greeting to the login. If mail for the service itself is accepted, to the first MAIL. */
  readonly loginMs: number;
  /** Maximum duration of a session of a server that sends mail without a login. A message under way is not cut off. */
  readonly visitMs: number;
  /** Commands since the last accepted message; a message with 50 recipients takes 53. */
  readonly commands: number;
  /** Refused commands and messages since the last accepted message. */
  readonly refusals: number;
  readonly recipients: number;
  readonly messageBytes: number;
  /** How long a stop waits for messages under way. */
  readonly stopMs: number;
}

/** The limits of one server. Sizes and recipients are those of the HTTP API. */
export const generalLimits = {
  idleMs: 5 * 60_000,
  arrivalMs: 30_000,
  loginMs: 60_000,
  visitMs: 10 * 60_000,
  commands: 500,
  refusals: 20,
} as const;

const maxConnections = 5_000;

/** Limits over all ports together. A network or team at its limit leaves three quarters to the others. */
export function placeLimits(perClient: number): PlaceLimits {
  const share = Math.max(perClient, maxConnections / 4);
  return { total: maxConnections, perClient, perNetwork: share, perTeam: share };
}

/** A tenth of a core for each network and team, half a core for all, and five seconds of CPU before anybody waits. */
export const workLimits: WorkLimits = { perOwner: 100, together: 500, burstMs: 5_000 };

/** A client that would wait longer than this to connect is refused instead. */
export const maxArrivalWaitMs = 10_000;

const kb = 1024;
const mb = 1024 * kb;

/**
 * Memory for content that customers send, per team: one team can send 350 messages and 12 large ones at the same time.
 */
export const submissionReception: ReceptionLimits = {
  smallBytes: 64 * kb,
  smallMemory: { total: 64 * mb, maxPerOwner: 22 * mb },
  // The header, up to 256 KB of the beginning, and a piece of 256 KB on its way to the store, partly twice.
  largeBytes: 2 * mb,
  largeMemory: { total: 96 * mb, maxPerOwner: 24 * mb },
  waitMs: 60_000,
  maxMs: 30 * 60_000,
  graceMs: 60_000,
  minBytesPerSecond: 500,
  scarce: { maxMs: 30 * 60_000, graceMs: 15_000, minBytesPerSecond: 32 * kb },
};

/** Maximum number of recipients of a message without a login (RFC 5321 section 4.5.3.1.8 requires 100). */
export const maxVisitorRecipients = 100;

/** Memory for content that other servers send, per network. Up to 256 KB of a message are kept. */
export const incomingReception: ReceptionLimits = {
  smallBytes: 64 * kb,
  smallMemory: { total: 32 * mb, maxPerOwner: 8 * mb },
  // Up to 256 KB of the beginning, and a piece of 256 KB on its way to the store, partly twice.
  largeBytes: 1 * mb,
  largeMemory: { total: 64 * mb, maxPerOwner: 16 * mb },
  waitMs: 30_000,
  maxMs: 15 * 60_000,
  graceMs: 30_000,
  minBytesPerSecond: 500,
  scarce: { maxMs: 15 * 60_000, graceMs: 10_000, minBytesPerSecond: 32 * kb },
};

/**
 * Cost of operations in CPU time of the reference machine, in ms. Work that they cause in other parts of the program is
 * not included, since it has limits of its own. Measured with `perf stat` on the whole process, rounded up.
 */
const connectionMs = 0.3;
const handshakeMs = 2;
const commandMs = 0.05;
const loginMs = 1;
const megabyteMs = 8;

export const prices = {
  ofConnection: (implicitTls: boolean): number => connectionMs + (implicitTls ? handshakeMs : 0),
  ofCommand: (line: Buffer): number => {
    const verb = line.subarray(0, 8).toString('latin1').toUpperCase();
    if (verb.startsWith('STARTTLS')) return handshakeMs;
    return verb.startsWith('AUTH') ? loginMs : commandMs;
  },
  ofContent: (bytes: number): number => (bytes * megabyteMs) / 1_000_000,
} as const;
