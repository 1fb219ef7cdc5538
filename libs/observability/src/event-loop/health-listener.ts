import { createServer, IncomingMessage, request, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HealthListening {
  readonly host: string;
  readonly port: number;
  /** Base URL of the HTTP server of the main thread. */
  readonly mainUrl: string;
}

/** Time limit for the response of the main thread. Orchestrators wait for a second or more by default. */
const answerWithinMs = 900;
/** A process that is frozen for longer counts as dead, so that its orchestrator ends it. */
const deadAfterMs = 60_000;
const paths = ['/healthz', '/readyz'];

/**
 * Serves `/healthz` and `/readyz` on a port of the watchdog thread. While the event loop runs, it forwards the
 * responses of the main thread. While it is frozen, it responds immediately that it is. Resolves with the port.
 */
export function listenForHealth(
  { host, port, mainUrl }: HealthListening,
  frozenMs: () => number | undefined,
): Promise<number> {
  const server = createServer((incoming, response) => {
    const path = incoming.url?.split('?', 1)[0] ?? '';
    if (incoming.method !== 'GET' || !paths.includes(path)) return void response.writeHead(404).end();
    const frozen = frozenMs();
    if (frozen === undefined) return pass(new URL(path, mainUrl), path, response);
    answerFrozen(path, frozen, response);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function pass(url: URL, path: string, response: ServerResponse): void {
  const asked = request(url, { agent: false, timeout: answerWithinMs }, (answer: IncomingMessage) => {
    response.writeHead(answer.statusCode ?? 503, { 'content-type': 'application/json; charset=utf-8' });
    answer.pipe(response);
  });
  asked.on('timeout', () => asked.destroy());
  asked.on('error', () => {
    if (response.headersSent) response.destroy();
    else answerFrozen(path, answerWithinMs, response);
  });
  asked.end();
}

function answerFrozen(path: string, frozenMs: number, response: ServerResponse): void {
  const isUp = path === '/healthz' && frozenMs < deadAfterMs;
  const process = { status: 'down', message: `The event loop has not turned for ${Math.round(frozenMs)} ms` };
  response.writeHead(isUp ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ status: isUp ? 'ok' : 'error', details: { process } }));
}
