import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { ConnectionTls } from '#delivery';
import type { CertificateCheck, SmtpHostOptions } from './smtp-options.js';

const maxChainLength = 10;

/**
 * Starts TLS on a connection, for the name that the host must prove. It does not check the certificate: `tlsReport`
 * does.
 */
export function secured(socket: Socket, options: SmtpHostOptions): TLSSocket {
  const name = options.certificate?.serverName ?? options.hostName ?? options.host;
  return connect({
    ...options.tlsOptions,
    socket,
    host: name,
    servername: isIP(name) === 0 ? name : undefined,
    // Checked later, where the reason of a failure can be reported.
    rejectUnauthorized: false,
  });
}

/**
 * The result of the handshake. `check` is the required check; if it is undefined, nothing is required, and the check
 * against the public authorities is only reported.
 */
export function tlsReport(secure: TLSSocket, check: Partial<CertificateCheck> | undefined): ConnectionTls {
  const certificateError = check?.failureOf === undefined ? publicFailure(secure) : check.failureOf(chainOf(secure));
  return {
    level: check === undefined ? 'opportunistic' : (check.level ?? 'verified'),
    protocol: secure.getProtocol() ?? 'unknown',
    cipher: secure.getCipher().standardName,
    authorized: certificateError === undefined,
    certificateError,
  };
}

/** Why the check against the public authorities fails for the requested name; undefined if it passes. */
function publicFailure(secure: TLSSocket): string | undefined {
  if (secure.authorized) return undefined;
  const error: Error | string | undefined = secure.authorizationError;
  return error instanceof Error ? error.message : (error ?? 'it could not be verified');
}

/** The certificates that the server sent, its own first. */
function chainOf(secure: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let certificate: DetailedPeerCertificate | undefined = secure.getPeerCertificate(true);
  const seen = new Set<string>();
  // The last certificate of a chain is its own issuer. An empty object means no certificate.
  while (certificate?.raw !== undefined && !seen.has(certificate.fingerprint256) && chain.length < maxChainLength) {
    seen.add(certificate.fingerprint256);
    chain.push(new X509Certificate(certificate.raw));
    certificate = certificate.issuerCertificate;
  }
  return chain;
}
