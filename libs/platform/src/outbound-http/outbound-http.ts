import { lookup as resolve } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { Agent as HttpAgent, IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, LookupFunction } from 'node:net';
import { OutboundHttpError } from './outbound-http-error.js';
import { isPublicAddress } from './public-address.js';

export interface OutboundRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** For everything together: names, connections, redirects, body. */
  readonly timeoutMs: number;
  /** Longest body that is read. */
  readonly maximumBytes: number;
  /** 0: a redirect is an answer like any other. */
  readonly maximumRedirects: number;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface OutboundHttpOptions {
  /** Which IP addresses may be connected to. Default: those of the public internet. */
  readonly allows?: (address: string) => boolean;
  /** Default: the system's resolver, as `dns.lookup` asks it. */
  readonly lookup?: typeof resolve;
  /** Authorities that certificates are verified with, in PEM. Default: the public ones. */
  readonly ca?: string;
}

/**
 * Requests to URLs that customers choose, and to nothing on our own side of the network.
 *
 * The guard sits where a connection is made: it judges the very addresses that are about to be connected to, so that a
 * name which answers differently the second time (DNS rebinding) gains nothing. Each redirect is a new connection.
 */
export class OutboundHttp {
  private readonly agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };
  private readonly lookup: LookupFunction;

  constructor(private readonly options: OutboundHttpOptions = {}) {
    // A pooled connection has passed the guard when it was made, and leads to the same address ever since.
    const pooling = { keepAlive: true, maxFreeSockets: 64, timeout: 30_000 };
    this.agents = { 'http:': new HttpAgent(pooling), 'https:': new HttpsAgent({ ...pooling, ca: options.ca }) };
    this.lookup = guardedLookup(options);
  }

  /** Any status is an answer. Throws OutboundHttpError where there is none. */
  async send(request: OutboundRequest): Promise<OutboundResponse> {
    const signal = AbortSignal.timeout(request.timeoutMs);
    let url = parseUrl(request.url);
    for (let redirects = 0; ; redirects++) {
      const response = await this.exchange(url, request, signal);
      const location = redirectOf(response);
      if (location === undefined || request.maximumRedirects === 0) return response;
      if (redirects === request.maximumRedirects) {
        throw new OutboundHttpError('too_many_redirects', 'The server redirects too often');
      }
      url = parseUrl(location, url);
    }
  }

  close(): void {
    this.agents['http:'].destroy();
    this.agents['https:'].destroy();
  }

  private exchange(url: URL, request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const { allows = isPublicAddress } = this.options;
    const protocol = url.protocol as 'http:' | 'https:';
    // An address in the URL itself never reaches the look-up.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 && !allows(host)) return Promise.reject(forbidden());
    return new Promise((done, fail) => {
      const open = protocol === 'https:' ? httpsRequest : httpRequest;
      const outgoing = open(url, {
        method: request.method ?? 'GET',
        headers: { 'accept-encoding': 'identity', 'user-agent': 'Postrider/1', ...request.headers },
        agent: this.agents[protocol],
        lookup: this.lookup,
        signal,
      });
      outgoing.on('error', (error) => fail(explained(error, signal)));
      outgoing.on('response', (incoming) => {
        readBody(incoming, request.maximumBytes).then(
          (body) => done({ status: incoming.statusCode ?? 0, headers: incoming.headers, body }),
          (error: Error) => fail(explained(error, signal)),
        );
      });
      outgoing.end(request.body);
    });
  }
}

/** Answers only with addresses that may be connected to; a name that has others as well is refused as a whole. */
function guardedLookup({ allows = isPublicAddress, lookup = resolve }: OutboundHttpOptions): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(error, '');
      if (!addresses.every(({ address }) => allows(address))) return callback(forbidden(), '');
      const [first] = addresses;
      if (first === undefined) return callback(new Error('the name has no address'), '');
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

async function readBody(incoming: IncomingMessage, maximumBytes: number): Promise<Buffer> {
  const tooLarge = (): OutboundHttpError => new OutboundHttpError('too_large', 'The answer is too large');
  try {
    if (Number(incoming.headers['content-length'] ?? 0) > maximumBytes) throw tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maximumBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    incoming.destroy();
    throw error;
  }
}

function redirectOf({ status, headers }: OutboundResponse): string | undefined {
  const { location } = headers;
  return [301, 302, 303, 307, 308].includes(status) && typeof location === 'string' ? location : undefined;
}

function parseUrl(text: string, base?: URL): URL {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    throw new OutboundHttpError('invalid', 'This is not a URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundHttpError('invalid', 'Only http and https URLs can be used');
  }
  return url;
}

function forbidden(): OutboundHttpError {
  return new OutboundHttpError('forbidden', 'The URL leads to an address that is not public');
}

function explained(error: Error, signal: AbortSignal): OutboundHttpError {
  if (error instanceof OutboundHttpError) return error;
  if (signal.aborted) return new OutboundHttpError('timeout', 'The server did not answer in time');
  return new OutboundHttpError('unreachable', 'The server cannot be reached');
}
