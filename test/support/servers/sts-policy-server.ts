import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IssuedCertificate } from './test-authority.js';

/** Serves one MTA-STS policy and counts the requests. */
export class StsPolicyServer {
  fetches = 0;
  /** If set, responds instead of the policy. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  policy = '';

  private constructor(private readonly server: Server) {}

  static async listen(certificate: IssuedCertificate): Promise<StsPolicyServer> {
    const server = createServer(certificate);
    const serving = new StsPolicyServer(server);
    server.on('request', (request, response) => {
      serving.fetches++;
      if (serving.answer !== undefined) return serving.answer(request, response);
      const isFound = request.url === '/.well-known/mta-sts.txt';
      response.writeHead(isFound ? 200 : 404, { 'content-type': 'text/plain' }).end(isFound ? serving.policy : '');
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return serving;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
