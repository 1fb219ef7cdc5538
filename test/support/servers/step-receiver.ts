import { createHmac } from 'node:crypto';
import { createServer, IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';

export interface StepReceived {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What automations call, on loopback. Each path answers as a test says. */
export class StepReceiver {
  readonly calls: StepReceived[] = [];
  connections = 0;
  private readonly answers = new Map<string, (response: ServerResponse, call: StepReceived) => void>();

  private constructor(private readonly server: Server) {}

  static async listen(host = '127.0.0.1', port = 0): Promise<StepReceiver> {
    const server = createServer();
    const receiver = new StepReceiver(server);
    server.on('connection', () => receiver.connections++);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url: path = '', headers } = request;
        const call = { path, headers, body: Buffer.concat(chunks).toString() };
        receiver.calls.push(call);
        const answer = receiver.answers.get(path) ?? ((each: ServerResponse) => void each.writeHead(404).end());
        answer(response, call);
      });
    });
    await new Promise<void>((ready) => server.listen(port, host, ready));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  at(path: string, answer: (response: ServerResponse, call: StepReceived) => void): string {
    this.answers.set(path, answer);
    return `http://127.0.0.1:${this.port}${path}`;
  }

  callsOf(path: string): readonly StepReceived[] {
    return this.calls.filter((call) => call.path === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((closed) => this.server.close(() => closed()));
  }
}

/** Whether one of the signatures of a call is that of the secret (Standard Webhooks). */
export function isSignedWith(secret: string, { headers, body }: StepReceived): boolean {
  const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(signature);
}
