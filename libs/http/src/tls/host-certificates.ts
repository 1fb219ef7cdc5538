import type { SecureContext } from 'node:tls';
import type { MaybePromise } from '#kernel';

/**
 * The certificates that were issued for single hosts, beside the one of `TlsCertificate`.
 *
 * Host names are in lower case. They may be invented by strangers: a name without a certificate costs a look into a map.
 */
export abstract class HostCertificates {
  /** Whether links to the host may be https: it has a certificate that is trusted and valid now. Makes no query. */
  abstract isTrusted(host: string): boolean;

  /** What a connection for the host uses; undefined: the certificate of the program. */
  abstract findContext(host: string): MaybePromise<SecureContext | undefined>;

  /** The response to a challenge of the certificate authority (RFC 8555 section 8.3); undefined if it is not known. */
  abstract findAnswer(token: string): Promise<string | undefined>;
}

type FoundContext = (error: Error | null, context?: SecureContext) => void;

/** Chooses the certificate for the name that a client asks for (SNI, RFC 6066 section 3). */
export function chosenByName(hosts: HostCertificates): (name: string, done: FoundContext) => void {
  return (name, done) => {
    const context = hosts.findContext(name.toLowerCase());
    if (context === undefined || !('then' in context)) return done(null, context);
    // Without its certificate, a host is served with the one of the program.
    context.then(
      (found) => done(null, found),
      () => done(null),
    );
  };
}
