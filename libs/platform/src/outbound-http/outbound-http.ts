import { lookup as resolve } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { isIP, LookupFunction } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import { FairTurns } from './fair-turns.js';
import { OutboundHttpError } from './outbound-http-error.js';
import type { OutboundRequest, OutboundResponse } from './outbound-request.js';
import { isPublicAddress } from './public-address.js';
import { drainedBytes, readBody, RefusedByCaller } from './read-body.js';

const connectTimeoutMs = 10_000;
/** How long a connection without requests is kept. Most servers close theirs after five seconds or later. */
const idleTimeoutMs = 4_000;
/** Under way at once for one owner, and in all. */
const maxPerOwner = 64;
const maxTotal = 1_024;

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
  private agent: Promise<Agent> | undefined;
  private readonly turns = new FairTurns(maxPerOwner, maxTotal);

  constructor(private readonly options: OutboundHttpOptions = {}) {}

  /** Any status is an answer. Throws OutboundHttpError where there is none. */
  async send(request: OutboundRequest): Promise<OutboundResponse> {
    const asked = performance.now();
    const giveBack = await this.turns.take(request.owner, request.isUrgent === true ? request.timeoutMs : undefined);
    if (giveBack === undefined) throw new OutboundHttpError('timeout', 'Too many other requests are under way');
    if (request.onTurn?.() === false) {
      giveBack();
      throw new OutboundHttpError('withdrawn', 'The request is not wanted any more');
    }
    const waited = request.isUrgent === true ? performance.now() - asked : 0;
    // AbortSignal.timeout would keep its timer, and fire, long after most answers are there.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), request.timeoutMs - waited);
    const end = (): void => deadline.abort();
    request.signal?.addEventListener('abort', end, { once: true });
    if (request.signal?.aborted === true) end();
    try {
      return await this.follow(request, deadline.signal);
    } catch (error) {
      throw error instanceof RefusedByCaller ? error.reason : error;
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', end);
      giveBack();
    }
  }

  close(): void {
    void this.agent?.then((agent) => agent.destroy());
  }

  private async follow(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    let url = parseUrl(request.url);
    for (let redirects = 0; ; redirects++) {
      const response = await this.exchange(url, request, signal);
      const location = redirectOf(response);
      if (location === undefined || request.maxRedirects === 0) return response;
      if (redirects === request.maxRedirects) {
        throw new OutboundHttpError('too_many_redirects', 'The server redirects too often');
      }
      url = parseUrl(location, url);
    }
  }

  private async exchange(url: URL, request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const { allows = isPublicAddress } = this.options;
    // An address in the URL itself never reaches the look-up.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 && !allows(host)) throw forbidden();
    const call: Dispatcher.RequestOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method ?? 'GET',
      headers: { 'accept-encoding': 'identity', 'user-agent': 'Postrider/1', ...request.headers },
      body: request.body,
      signal,
    };
    try {
      const answer = await this.begin(call, request.repeatable === true);
      const head = { status: answer.statusCode, headers: answer.headers };
      if (request.maxRedirects > 0 && redirectOf(head) !== undefined) {
        await answer.body.dump({ limit: drainedBytes });
        return { ...head, body: Buffer.alloc(0) };
      }
      return { ...head, body: await readBody(answer, request) };
    } catch (error) {
      throw explained(error as Error, signal);
    }
  }

  private async begin(call: Dispatcher.RequestOptions, repeatable: boolean): Promise<Dispatcher.ResponseData> {
    const agent = await (this.agent ??= guardedAgent(this.options));
    try {
      return await agent.request(call);
    } catch (error) {
      if (!repeatable || !closedByPeer.has((error as { code?: string }).code ?? '')) throw error;
      return agent.request(call);
    }
  }
}

/** Its library is loaded with the first request: who calls nobody has no use for it in memory. */
async function guardedAgent(options: OutboundHttpOptions): Promise<Agent> {
  const { Agent } = await import('undici');
  // A kept connection has passed the guard when it was made, and leads to the same address ever since.
  return new Agent({
    connect: { lookup: guardedLookup(options), timeout: connectTimeoutMs, ca: options.ca },
    keepAliveTimeout: idleTimeoutMs,
    keepAliveMaxTimeout: idleTimeoutMs,
    // One request at a time on each connection: an answer that is late delays no other. As many as there are turns:
    // an origin where the requests of several owners go has no queue of its own.
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  });
}

/** The server has closed the connection while or before the request was written. */
const closedByPeer = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Responses only with addresses that may be connected to; a name that has others as well is refused as a whole. */
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

function redirectOf({ status, headers }: Omit<OutboundResponse, 'body'>): string | undefined {
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

function explained(error: Error, signal: AbortSignal): Error {
  if (error instanceof OutboundHttpError || error instanceof RefusedByCaller) return error;
  if (signal.aborted) return new OutboundHttpError('timeout', 'The server did not answer in time');
  return new OutboundHttpError('unreachable', 'The server cannot be reached');
}
