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
/** How long an idle connection is kept. Most servers close theirs after five seconds or later. */
const idleTimeoutMs = 4_000;
/** Maximum number of concurrent requests of one owner, and in total. */
const maxPerOwner = 64;
const maxTotal = 1_024;

export interface OutboundHttpOptions {
  /** Whether connections to an IP address are allowed. Default: only to addresses of the public internet. */
  readonly allows?: (address: string) => boolean;
  /** Default: `dns.lookup` with the resolver of the system. */
  readonly lookup?: typeof resolve;
  /** Certificate authorities in PEM. Default: the public ones. */
  readonly ca?: string;
}

/**
 * Sends requests to URLs that customers choose, but never to the private network of the service.
 *
 * Addresses are checked where a connection is opened: exactly the addresses that are connected to are checked, so that
 * a name with another DNS answer at the second look-up (DNS rebinding) has no effect. Each redirect is checked as well.
 */
export class OutboundHttp {
  private agent: Promise<Agent> | undefined;
  private readonly turns = new FairTurns(maxPerOwner, maxTotal);

  constructor(private readonly options: OutboundHttpOptions = {}) {}

  /** Returns the response with any status. Throws OutboundHttpError if there is no response. */
  async send(request: OutboundRequest): Promise<OutboundResponse> {
    const asked = performance.now();
    const release = await this.turns.take(request.owner, request.isUrgent === true ? request.timeoutMs : undefined);
    if (release === undefined) throw new OutboundHttpError('timeout', 'Too many other requests are under way');
    if (request.onTurn?.() === false) {
      release();
      throw new OutboundHttpError('withdrawn', 'The request is not wanted any more');
    }
    const waited = request.isUrgent === true ? performance.now() - asked : 0;
    // AbortSignal.timeout would keep its timer, and fire, long after most responses have arrived.
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
      release();
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
    // An IP address in the URL is not looked up, so it is checked here.
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
        await answer.body.dump({ limit: request.maxDrainedBytes ?? drainedBytes });
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

/**
 * Creates the agent. Its library is loaded at the first request, so that it takes no memory in processes without
 * requests.
 */
async function guardedAgent(options: OutboundHttpOptions): Promise<Agent> {
  const { Agent } = await import('undici');
  // The address of a kept connection was checked when it was opened, and cannot change.
  return new Agent({
    connect: { lookup: guardedLookup(options), timeout: connectTimeoutMs, ca: options.ca },
    keepAliveTimeout: idleTimeoutMs,
    keepAliveMaxTimeout: idleTimeoutMs,
    // One request at a time on each connection, so that a late response delays no other. The number of connections is not
    // limited here, so that requests of several owners to one origin do not wait for each other.
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  });
}

/** Errors if the server closed the connection before or while the request was written. */
const closedByPeer = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Looks up a name. Refuses it if any of its addresses is not allowed. */
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
  if (signal.aborted) return new OutboundHttpError('timeout', 'The server did not respond in time');
  return new OutboundHttpError('unreachable', 'The server cannot be reached', { cause: error });
}
