import type { ConnectionTls } from '#delivery';
import type { X509Certificate } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';

/**
 * `none` never uses TLS. `opportunistic` uses it if offered and verifies nothing, since that is never worse than plain
 * text (RFC 7435). `mandatory` sends nothing without TLS and verifies nothing, because most certificates of receiving
 * hosts have names that the sender cannot know. `required` also requires a certificate that verifies for the host's
 * name.
 */
export type TlsRequirement = 'none' | 'opportunistic' | 'mandatory' | 'required';

/** The check of the certificate if TLS is `required`. */
export interface CertificateCheck {
  /** The name of the check in the trace. */
  readonly level: ConnectionTls['level'];
  /** The name sent in SNI. Default: the host's name. */
  readonly serverName?: string;
  /**
   * Why the chain, the server's own certificate first, is not accepted. Default: the check against the public
   * authorities.
   */
  readonly failureOf?: (chain: readonly X509Certificate[]) => string | undefined;
}

export interface SmtpCredentials {
  readonly username: string;
  readonly password: string;
}

/** Maximum wait in each phase, in milliseconds. `idle` is how long an unused connection is kept. */
export interface SmtpTimeouts {
  readonly connect: number;
  readonly banner: number;
  readonly ehlo: number;
  readonly starttls: number;
  readonly auth: number;
  readonly mail: number;
  readonly rcpt: number;
  readonly dataInitiation: number;
  /** Maximum time without progress while the content is written. */
  readonly dataBlock: number;
  readonly dataTermination: number;
  readonly quit: number;
  readonly idle: number;
}

export type SmtpPhase = keyof SmtpTimeouts;

const minutes = 60_000;

/**
 * The values follow RFC 5321 section 4.5.3.2 where it names a minimum. Shorter ones cause duplicates: the server may
 * still accept the message.
 */
export const defaultTimeouts: SmtpTimeouts = {
  connect: 30_000,
  banner: 5 * minutes,
  ehlo: 5 * minutes,
  starttls: 1 * minutes,
  auth: 1 * minutes,
  mail: 5 * minutes,
  rcpt: 5 * minutes,
  dataInitiation: 2 * minutes,
  dataBlock: 3 * minutes,
  dataTermination: 10 * minutes,
  quit: 5_000,
  idle: 15_000,
};

/** A host to connect to, and how to do it. */
export interface SmtpHostOptions {
  /** Name or IP address to connect to. */
  readonly host: string;
  readonly port: number;
  /** Name used in outcomes and to verify the certificate if `host` is an address. Default: `host`. */
  readonly hostName?: string;
  readonly localAddress?: string;
  /** The argument of EHLO: the name of this machine, or an address literal. */
  readonly heloName: string;
  /** Default `opportunistic`. */
  readonly tls?: TlsRequirement;
  /** Default: the public authorities, or those of `tlsOptions`, for the host's name. */
  readonly certificate?: CertificateCheck;
  /** TLS from the first byte (RFC 8314 section 3.3) instead of STARTTLS. */
  readonly implicitTls?: boolean;
  readonly tlsOptions?: Pick<ConnectionOptions, 'ca' | 'minVersion' | 'ciphers'>;
  readonly credentials?: SmtpCredentials;
  /** Allows AUTH without TLS. By default that is allowed only if the connection stays on this machine. */
  readonly allowPlaintextAuth?: boolean;
  readonly timeouts?: Partial<SmtpTimeouts>;
  /** Aborts everything before the first MAIL. Its reason is a text that says why. */
  readonly signal?: AbortSignal;
}

/** Checks that the name can be used in EHLO without becoming a second command. */
export function assertHeloName(name: string): void {
  if (!/^[\x21-\x7e]{1,255}$/.test(name)) throw new RangeError('The HELO name is not a host name');
}
