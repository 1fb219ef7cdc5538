import { connect, Socket } from 'node:net';

export interface LoadResult {
  readonly accepted: number;
  readonly refused: number;
  readonly seconds: number;
  /** Milliseconds from request to response, sorted. */
  readonly latencies: number[];
}

export interface LoadOptions {
  readonly port: number;
  readonly apiKey: string;
  readonly path: string;
  readonly connections: number;
  readonly requests: number;
  /** Sends as many a second, and measures from the moment at which a request is due. By default, as fast as they are answered. */
  readonly perSecond?: number;
  /** The JSON body of one request. */
  readonly body: (index: number) => string;
  /** Further header lines, each ended by CRLF. */
  readonly headers?: (index: number) => string;
}

/**
 * Sends requests over keep-alive connections, one at a time on each, and reads only the needed part of the responses.
 * It uses raw sockets, because on two cores the CPU of an HTTP client would be missing for the measured server.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const started = performance.now();
  const state = { started, next: 0, accepted: 0, refused: 0, latencies: [] as number[] };
  await Promise.all(Array.from({ length: options.connections }, () => runConnection(options, state)));
  const seconds = (performance.now() - started) / 1_000;
  return { ...state, seconds, latencies: state.latencies.sort((a, b) => a - b) };
}

type State = { readonly started: number; next: number; accepted: number; refused: number; latencies: number[] };

async function runConnection(options: LoadOptions, state: State): Promise<void> {
  const socket = await open(options.port);
  try {
    while (state.next < options.requests) {
      const index = state.next++;
      const begun = await turnOf(options, state.started, index);
      const status = await exchange(socket, requestOf(options, index));
      state.latencies.push(performance.now() - begun);
      if (status >= 200 && status < 300) state.accepted++;
      else state.refused++;
    }
  } finally {
    socket.destroy();
  }
}

/** When the request is due. Resolves then. */
async function turnOf({ perSecond }: LoadOptions, started: number, index: number): Promise<number> {
  if (perSecond === undefined) return performance.now();
  const due = started + (index * 1_000) / perSecond;
  const waitMs = due - performance.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  return due;
}

/** The text of one request. */
export function requestOf(options: Pick<LoadOptions, 'path' | 'apiKey' | 'body' | 'headers'>, index: number): string {
  const body = options.body(index);
  return (
    `POST ${options.path} HTTP/1.1\r\nHost: bench.test\r\nAuthorization: Bearer ${options.apiKey}\r\n` +
    `Content-Type: application/json\r\n${options.headers?.(index) ?? ''}` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

export function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends a request and resolves to the status of its response. Rejects if the connection ends before that. */
export function exchange(socket: Socket, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const fail = (): void => reject(new Error('The server closed the connection'));
    const receive = (chunk: Buffer): void => {
      answer += chunk.toString('latin1');
      const headEnd = answer.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? 0);
      if (answer.length < headEnd + 4 + length) return;
      socket.off('data', receive);
      socket.off('close', fail);
      resolve(Number(answer.slice(9, 12)));
    };
    socket.on('data', receive);
    socket.once('close', fail);
    socket.write(request);
  });
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
