import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { TlsReport } from '#delivery';
import type { CertificateCheck, SmtpHostOptions } from './smtp-options.js';

const maxChainLength = 10;

/** TLS on top of a connection, for the name that the host is to prove. It judges nothing: `tlsReport` does. */
export function secured(socket: Socket, options: SmtpHostOptions): TLSSocket {
  const name = options.certificate?.serverName ?? options.hostName ?? options.host;
  return connect({
    ...options.tlsOptions,
    socket,
    host: name,
    servername: isIP(name) === 0 ? name : undefined,
    // Judged later, where what is wrong with it can be told.
    rejectUnauthorized: false,
  });
}

/** What the handshake came to. `check` is what must hold; undefined: nothing must, and what the public authorities say is told. */
export function tlsReport(secure: TLSSocket, check: Partial<CertificateCheck> | undefined): TlsReport {
  const certificateError = check?.failureOf === undefined ? publicVerdict(secure) : check.failureOf(chainOf(secure));
  return {
    level: check === undefined ? 'opportunistic' : (check.level ?? 'verified'),
    protocol: secure.getProtocol() ?? 'unknown',
    cipher: secure.getCipher().standardName,
    authorized: certificateError === undefined,
    certificateError,
  };
}

/** Why the public authorities do not vouch for the server under the name that was asked for. */
function publicVerdict(secure: TLSSocket): string | undefined {
  if (secure.authorized) return undefined;
  const error: Error | string | undefined = secure.authorizationError;
  return error instanceof Error ? error.message : (error ?? 'it could not be verified');
}

/** The certificates that the server sent, its own first. */
function chainOf(secure: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let certificate: DetailedPeerCertificate | undefined = secure.getPeerCertificate(true);
  const seen = new Set<string>();
  // The last one of a chain is its own issuer. An empty object stands for no certificate.
  while (certificate?.raw !== undefined && !seen.has(certificate.fingerprint256) && chain.length < maxChainLength) {
    seen.add(certificate.fingerprint256);
    chain.push(new X509Certificate(certificate.raw));
    certificate = certificate.issuerCertificate;
  }
  return chain;
}
