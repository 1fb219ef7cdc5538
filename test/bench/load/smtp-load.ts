import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import type { LoadResult } from './http-load.js';

export interface SmtpLoadOptions {
  /** Port with implicit TLS. */
  readonly port: number;
  readonly apiKey: string;
  readonly connections: number;
  readonly messages: number;
  /** The content of one message, line ends CRLF, no line beginning with a dot. */
  readonly content: (index: number) => string;
  readonly recipient: (index: number) => string;
}

type State = { next: number; accepted: number; refused: number; latencies: number[] };

/**
 * Submits messages over TLS connections that log in once, one message at a time on each. The envelope is pipelined with
 * DATA. Latencies are measured from MAIL to the reply to the final dot.
 */
export async function runSmtpLoad(options: SmtpLoadOptions): Promise<LoadResult> {
  const clients = await Promise.all(Array.from({ length: options.connections }, () => logIn(options)));
  const state: State = { next: 0, accepted: 0, refused: 0, latencies: [] };
  const started = performance.now();
  await Promise.all(clients.map((client) => submitAll(client, options, state)));
  const seconds = (performance.now() - started) / 1_000;
  for (const client of clients) client.end();
  return { ...state, seconds, latencies: state.latencies.sort((a, b) => a - b) };
}

async function submitAll(client: SmtpConnection, options: SmtpLoadOptions, state: State): Promise<void> {
  while (state.next < options.messages) {
    const index = state.next++;
    const begun = performance.now();
    const reply = await client.submit(options.recipient(index), options.content(index));
    state.latencies.push(performance.now() - begun);
    if (reply.startsWith('250')) state.accepted++;
    else state.refused++;
  }
}

async function logIn({ port, apiKey }: SmtpLoadOptions): Promise<SmtpConnection> {
  const client = new SmtpConnection(connect({ port, host: '127.0.0.1', rejectUnauthorized: false }));
  await client.replies(1);
  client.send('EHLO bench.test\r\n');
  await client.replies(1);
  client.send(`AUTH PLAIN ${Buffer.from(`\0postrider\0${apiKey}`).toString('base64')}\r\n`);
  const reply = await client.replies(1);
  if (!reply.startsWith('235')) throw new Error(`The login failed: ${reply}`);
  return client;
}

/** One connection to an SMTP server. */
export class SmtpConnection {
  private text = '';
  private wanted = 0;
  private resolve: ((text: string) => void) | undefined;
  private reject: ((error: Error) => void) | undefined;

  constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.text += chunk.toString('latin1');
      this.look();
    });
    socket.on('error', (error: Error) => this.reject?.(error));
    socket.on('close', () => this.reject?.(new Error(`The server closed the connection: ${this.text}`)));
  }

  send(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Resolves to the reply to the final dot. Rejects if the message was refused before it. */
  async submit(recipient: string, content: string): Promise<string> {
    this.send(`MAIL FROM:<bench@sandbox.postrider.test>\r\nRCPT TO:<${recipient}>\r\nDATA\r\n`);
    const replies = await this.replies(3);
    if (!/^354 /m.test(replies)) throw new Error(replies);
    this.send(`${content}.\r\n`);
    return this.replies(1);
  }

  /** Resolves to the next `count` replies. */
  replies(count: number): Promise<string> {
    this.wanted = count;
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      if (this.socket.destroyed) reject(new Error('The connection is closed'));
      this.look();
    });
  }

  end(): void {
    this.reject = undefined;
    this.socket.end('QUIT\r\n');
  }

  private look(): void {
    if (this.resolve === undefined || (this.text.match(/^\d{3} .*\r\n/gm)?.length ?? 0) < this.wanted) return;
    const { resolve, text } = this;
    this.resolve = undefined;
    this.text = '';
    resolve(text);
  }
}
