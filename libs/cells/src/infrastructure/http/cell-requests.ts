import { Agent as HttpAgent, IncomingHttpHeaders, IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError, ValidationError, withoutTrailing } from '#kernel';
import { onceSent } from '#http/server';
import type { Principal } from '#identity';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Cell } from '../../domain/cells.js';
import { CellSignatures, signatureHeader } from './cell-signatures.js';

/** Sending may wait for linked attachments. */
const maxSendingMs = 75_000;
/** Nobody waits for longer because a cell that was asked is silent. */
export const maxReadingMs = 5_000;
const connectMs = 5_000;

export class CellUnreachableError extends DomainError {
  constructor(cell: Cell) {
    super('unavailable', 'service_unavailable', `The region ${cell.name} cannot be reached. Please try again.`);
  }
}

export interface CellRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body?: Readable;
  /** Whom this cell has authenticated. Without it the other cell does, by the headers. */
  readonly principal?: Principal;
}

/** They belong to one connection (RFC 9110 section 7.6.1), or name what the other cell sees for itself. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'expect',
  signatureHeader,
]);
const credentials = new Set(['authorization', 'cookie']);

/**
 * Requests to other cells. Their addresses are the operator's, so they may be private. There are as many at once as clients
 * have connections, which are limited by client.
 */
@Injectable()
export class CellRequests implements OnApplicationShutdown {
  private readonly agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true }),
  };

  constructor(private readonly signatures: CellSignatures) {}

  /** Resolves with the head of the response. Rejects with CellUnreachableError if there is none. */
  async send(
    cell: Cell,
    { method, path, headers, body, principal }: CellRequest,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    // In the other form of a request (RFC 9112 section 3.2.2) the client would name the host.
    if (!path.startsWith('/')) throw new ValidationError('The URL must begin with a slash.');
    const { protocol, hostname, port, pathname } = new URL(cell.url);
    const isHttps = protocol === 'https:';
    // The other cell authenticates what has no principal, such as pages of the dashboard, which may take their time.
    const isReading = method === 'GET' && principal !== undefined;
    const sent = Object.entries(headers).filter(
      ([name]) => !ofConnection.has(name) && (principal === undefined || !credentials.has(name)),
    );
    return new Promise((resolve, reject) => {
      const outgoing = (isHttps ? requestHttps : requestHttp)({
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method,
        path: withoutTrailing(pathname, '/') + path,
        agent: isHttps ? this.agents.https : this.agents.http,
        headers: { ...Object.fromEntries(sent), [signatureHeader]: this.signatures.sign(method, path, principal) },
        signal,
      });
      const unreachable = (): void => {
        reject(new CellUnreachableError(cell));
        outgoing.destroy();
      };
      const head = setTimeout(unreachable, isReading ? maxReadingMs : maxSendingMs);
      outgoing.on('socket', (socket) => {
        if (!socket.connecting) return;
        const connecting = setTimeout(unreachable, connectMs);
        socket.once('connect', () => clearTimeout(connecting)).once('close', () => clearTimeout(connecting));
      });
      outgoing.on('response', (response) => {
        clearTimeout(head);
        resolve(response);
      });
      outgoing.on('error', () => {
        clearTimeout(head);
        unreachable();
      });
      if (body === undefined) outgoing.end();
      else body.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
  }

  onApplicationShutdown(): void {
    this.agents.http.destroy();
    this.agents.https.destroy();
  }
}

/** Aborts once the response is complete or the client is gone. */
export function endOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  onceSent(reply, () => controller.abort());
  return controller.signal;
}

/** Takes over the reply. */
export async function relay(response: IncomingMessage, reply: FastifyReply): Promise<void> {
  reply.hijack();
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined && !ofConnection.has(name)) reply.raw.setHeader(name, value);
  }
  reply.raw.writeHead(response.statusCode ?? 502);
  // Either side may go away; then the other one is closed.
  await pipeline(response, reply.raw).catch(() => undefined);
}
