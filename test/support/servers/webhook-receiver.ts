import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { CheckedApi } from '../clients/checked-api.js';
import type { ParsedJson } from '../runner/parsed-json.js';

let described: CheckedApi | undefined;
const describedApi = (): CheckedApi =>
  (described ??= CheckedApi.describedBy(readFileSync('docs/openapi.json', 'utf8')));

/** A received call. */
export interface ReceivedCall {
  readonly path: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly payload: {
    readonly type: string;
    readonly created_at: string;
    readonly sequence?: number;
    readonly data: ParsedJson;
  };
}

/** The reaction to a call: a status, or no response. */
export type Reaction = number | 'hang';

/** A webhook endpoint on loopback. */
export class WebhookReceiver {
  readonly calls: ReceivedCall[] = [];
  /** Decides the reaction to each call. Default: 200. */
  react: (call: ReceivedCall) => Reaction = () => 200;
  answer = '{"received":true}';
  /** Whether the payloads are those of our own format, which the API describes. */
  isDescribed = true;
  connections = 0;
  private hanging: ServerResponse[] = [];
  /** How received payloads differ from the description of the API. */
  private readonly faults = new Set<string>();

  private constructor(private readonly server: Server) {}

  static async listen(port = 0): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.keepAliveTimeout = 60_000;
    server.on('connection', () => receiver.connections++);
    server.on('request', (request, response) => void receiver.receive(request, response));
    await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks`;
  }

  /** Calls that got a 2xx response, in the order of arrival. */
  readonly accepted: ReceivedCall[] = [];

  ofType(type: string): ReceivedCall[] {
    return this.accepted.filter(({ payload }) => payload.type === type);
  }

  /** Sends a late 2xx response to the calls that hang. */
  release(): void {
    for (const response of this.hanging.splice(0)) response.writeHead(200).end();
  }

  /** Throws if a payload differed from the description of the API. */
  async close(): Promise<void> {
    this.hanging.forEach((response) => response.destroy());
    this.server.closeAllConnections();
    await new Promise<void>((closed) => this.server.close(() => closed()));
    if (this.faults.size > 0) throw new Error(`Payloads differ from their description: ${[...this.faults].join('\n')}`);
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { headers } = request;
    const call: ReceivedCall = {
      path: request.url ?? '',
      id: String(headers['svix-id']),
      timestamp: String(headers['svix-timestamp']),
      signature: String(headers['svix-signature']),
      headers,
      body,
      payload: JSON.parse(body) as ReceivedCall['payload'],
    };
    this.calls.push(call);
    const fault = this.isDescribed ? describedApi().faultsOfPayload(call.payload) : undefined;
    if (fault !== undefined) this.faults.add(fault);
    const reaction = this.react(call);
    if (reaction === 'hang') {
      this.hanging.push(response);
      return;
    }
    if (reaction >= 200 && reaction < 300) this.accepted.push(call);
    response.writeHead(reaction, { 'content-type': 'application/json' }).end(this.answer);
  }
}

/** The expected signature of a call, computed as the standard describes. */
export function signatureOf({ id, timestamp, body }: ReceivedCall, secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
