import type { TlsReport } from '#delivery';
import type { X509Certificate } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';

/**
 * `none` never uses TLS. `opportunistic` uses it where offered and verifies nothing, because that is never worse than
 * plain text (RFC 7435). `mandatory` sends nothing without TLS and verifies nothing: certificates of receiving hosts
 * mostly name no one that the sender could know. `required` also wants one that verifies for the host's name.
 */
export type TlsPolicy = 'none' | 'opportunistic' | 'mandatory' | 'required';

/** What a certificate is held against where TLS is `required`. */
export interface CertificateCheck {
  /** What the trace calls it. */
  readonly level: TlsReport['level'];
  /** Whom TLS asks for. Default: the host's name. */
  readonly serverName?: string;
  /** Why the chain, the server's own certificate first, does not do. Default: what the public authorities say. */
  readonly failureOf?: (chain: readonly X509Certificate[]) => string | undefined;
}

export interface SmtpCredentials {
  readonly username: string;
  readonly password: string;
}

/** How long to wait in each phase, in milliseconds. `idle` is how long an unused connection is kept. */
export interface SmtpTimeouts {
  readonly connect: number;
  readonly banner: number;
  readonly ehlo: number;
  readonly starttls: number;
  readonly auth: number;
  readonly mail: number;
  readonly rcpt: number;
  readonly dataInitiation: number;
  /** Without progress while the content is written. */
  readonly dataBlock: number;
  readonly dataTermination: number;
  readonly quit: number;
  readonly idle: number;
}

export type SmtpPhase = keyof SmtpTimeouts;

const minutes = 60_000;

/** RFC 5321 section 4.5.3.2 where it names a minimum. Shorter ones make duplicates: the server may yet accept. */
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

/** One host to connect to, and how. */
export interface SmtpHostOptions {
  /** Name or IP address to connect to. */
  readonly host: string;
  readonly port: number;
  /** Name used in outcomes and to verify the certificate, where `host` is an address. Default: `host`. */
  readonly hostName?: string;
  readonly localAddress?: string;
  /** What EHLO says: the name of this machine, or an address literal. */
  readonly heloName: string;
  /** Default `opportunistic`. */
  readonly tls?: TlsPolicy;
  /** Default: the public authorities, or those of `tlsOptions`, for the host's name. */
  readonly certificate?: CertificateCheck;
  /** TLS from the first byte (RFC 8314 section 3.3) instead of STARTTLS. */
  readonly implicitTls?: boolean;
  readonly tlsOptions?: Pick<ConnectionOptions, 'ca' | 'minVersion' | 'ciphers'>;
  readonly credentials?: SmtpCredentials;
  /** Allows AUTH without TLS. Without it that is done only where the connection stays on this machine. */
  readonly allowPlaintextAuth?: boolean;
  readonly timeouts?: Partial<SmtpTimeouts>;
  /** Ends what precedes the first MAIL; its reason says why, as text. */
  readonly signal?: AbortSignal;
}

/** A name or literal that can stand in EHLO without becoming a second command. */
export function assertHeloName(name: string): void {
  if (!/^[\x21-\x7e]{1,255}$/.test(name)) throw new RangeError('The HELO name is not a host name');
}
