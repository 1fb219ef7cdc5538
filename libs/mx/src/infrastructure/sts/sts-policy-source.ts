import { lookup as lookUp } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { DnsResolver } from '#domains';
import { OutboundHttp } from '#platform/outbound-http';
import { readStsPolicy, StsPolicy } from '../../domain/sts-policy.js';

export interface StsPolicySourceOptions {
  /** Which addresses policies may be fetched from. */
  readonly mayConnect?: (address: string) => boolean;
  /** Default: the public authorities. */
  readonly ca?: string;
  /** Default 443, the only one that RFC 8461 knows. */
  readonly port?: number;
  readonly timeoutMs?: number;
}

/** RFC 8461 section 3.3 suggests a minute, and 64 KB. */
const maxFetchMs = 60_000;
const maxBytes = 65_536;

/** Fetches policies over HTTPS, from where the resolver of the mail hosts says. */
export class StsPolicySource {
  readonly #http: OutboundHttp;

  constructor(
    dns: DnsResolver,
    private readonly options: StsPolicySourceOptions = {},
  ) {
    this.#http = new OutboundHttp({ allows: options.mayConnect, lookup: lookupThrough(dns), ca: options.ca });
  }

  /** Undefined where there is none, or none that can be read. Redirects are not followed (section 3.3). */
  async fetch(domain: string): Promise<StsPolicy | undefined> {
    const { port = 443, timeoutMs = maxFetchMs } = this.options;
    try {
      const { status, headers, body } = await this.#http.send({
        owner: domain,
        url: `https://mta-sts.${domain}:${port}/.well-known/mta-sts.txt`,
        timeoutMs,
        maxBytes: maxBytes,
        maxRedirects: 0,
      });
      const isText = String(headers['content-type'] ?? '')
        .toLowerCase()
        .startsWith('text/plain');
      return status === 200 && isText ? readStsPolicy(body.toString('utf8')) : undefined;
    } catch {
      // Whatever went wrong, there is no policy: a domain that cannot be asked must still get its mail.
      return undefined;
    }
  }

  close(): void {
    this.#http.close();
  }
}

/** In the shape of `dns.lookup`, for all addresses. */
function lookupThrough(dns: DnsResolver): typeof lookUp {
  const through = (
    name: string,
    _options: unknown,
    callback: (error: Error | null, addresses: LookupAddress[]) => void,
  ): void => {
    Promise.all([dns.a(name), dns.aaaa(name)]).then(
      ([ipv4, ipv6]) =>
        callback(null, [
          ...ipv4.map((address) => ({ address, family: 4 })),
          ...ipv6.map((address) => ({ address, family: 6 })),
        ]),
      (error: Error) => callback(error, []),
    );
  };
  return through as unknown as typeof lookUp;
}
