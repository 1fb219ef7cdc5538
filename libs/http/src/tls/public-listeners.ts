import { createServer as createHttpServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls';
import { ClientBudget, Clock } from '#kernel';
import { Logger } from '#observability/logging';
import { Config } from '#platform/config';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { ConnectionCaps } from '../server/connection-caps.js';
import { Handshakes } from './handshakes.js';
import { chosenByName, HostCertificates } from './host-certificates.js';
import { TlsCertificate } from './tls-certificate.js';

/** Client-initiated renegotiation costs a handshake each time. Node.js has no name for this OpenSSL option. */
const noRenegotiation = 1 << 30;
const maxHandshakeMs = 10_000;
const maxHeadMs = 15_000;
/** An authority asks from a few addresses, some times for each certificate. */
const maxAnswersPerSecond = 50;
/** How long browsers use https alone, in seconds: a year. */
const strictSeconds = 31_536_000;

const challengePath = /^\/\.well-known\/acme-challenge\/([A-Za-z0-9_-]{16,128})$/;
/** What links in delivered mail lead to. They work with http until their host has a certificate. */
const linkPath = /^\/(?:o|c|unsubscribe)\//;

/**
 * HTTPS, and HTTP beside it, for a program that gets its certificates by itself (`TLS_ACME`).
 *
 * Decrypted connections are given to the server of the API, whose limits hold for them as for all others. Which hosts have a
 * certificate is decided elsewhere: no name that a client sends makes one.
 */
@Injectable()
export class PublicListeners implements BeforeApplicationShutdown {
  private readonly servers: NetServer[] = [];
  private readonly answers = new ClientBudget(maxAnswersPerSecond);

  constructor(
    private readonly config: Config,
    private readonly certificate: TlsCertificate,
    private readonly hosts: HostCertificates,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** To be called before the API listens. */
  addHeaders(fastify: FastifyInstance): void {
    const { publicUrl, tlsAcmeCaFile } = this.config.values;
    if (publicUrl === undefined || tlsAcmeCaFile !== undefined || !publicUrl.startsWith('https:')) return;
    const { hostname } = new URL(publicUrl);
    fastify.addHook('onRequest', (request, reply, done) => {
      const isOwn = request.protocol === 'https' && request.hostname === hostname && this.hosts.isTrusted(hostname);
      if (isOwn) void reply.header('strict-transport-security', `max-age=${strictSeconds}`);
      done();
    });
  }

  /** A port that cannot be opened is logged, and the other one serves. */
  async listen(fastify: FastifyInstance): Promise<void> {
    const { acmeHttpPort, httpsPort } = this.config.values;
    await this.open(this.plainServer(fastify), acmeHttpPort);
    await this.open(await this.secureServer(fastify), httpsPort);
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const server of this.servers) server.close();
  }

  private async secureServer(fastify: FastifyInstance): Promise<TlsServer> {
    const server = createTlsServer({
      ...(await this.certificate.load()),
      minVersion: 'TLSv1.2',
      secureOptions: noRenegotiation,
      handshakeTimeout: maxHandshakeMs,
      ALPNProtocols: ['http/1.1'],
      SNICallback: chosenByName(this.hosts),
    });
    this.certificate.onChange((renewed) => server.setSecureContext(renewed));
    new Handshakes().guard(server);
    // Node.js documents this event as the way to give connections to a server.
    server.on('secureConnection', (socket) => fastify.server.emit('connection', socket));
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    return server;
  }

  private plainServer(fastify: FastifyInstance): Server {
    const { trustedProxies, httpMaxConnections, httpMaxConnectionsPerNetwork } = this.config.values;
    const server = createHttpServer(
      { headersTimeout: maxHeadMs, requestTimeout: maxHeadMs, connectionsCheckingInterval: 2_000 },
      (request, response) => void this.respond(fastify, request, response),
    );
    const limits = { maxConnections: httpMaxConnections, maxConnectionsPerNetwork: httpMaxConnectionsPerNetwork };
    new ConnectionCaps({ ...limits, trustedProxies }).guard(server);
    return server;
  }

  private async respond(fastify: FastifyInstance, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', method, headers } = request;
    const token = challengePath.exec(url)?.[1];
    if (token !== undefined) return this.respondToChallenge(token, request, response);
    const host = (headers.host ?? '').replace(/:\d{1,5}$/, '').toLowerCase();
    if (!this.hosts.isTrusted(host) && linkPath.test(url))
      return void fastify.server.emit('request', request, response);
    const location = this.secureUrl(host, url);
    if (location === undefined) return void response.writeHead(404, { connection: 'close' }).end();
    // With the method and the body, so that no program loses what it sends.
    response.writeHead(308, { location, connection: 'close' }).end(method === 'HEAD' ? undefined : location);
  }

  private async respondToChallenge(
    token: string,
    { socket }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const isAdmitted = this.answers.take(socket.remoteAddress ?? '', this.clock.now().getTime());
    if (!isAdmitted) return void response.writeHead(429, { 'retry-after': '1', connection: 'close' }).end();
    try {
      const answer = await this.hosts.findAnswer(token);
      if (answer === undefined) response.writeHead(404, { connection: 'close' }).end();
      else response.writeHead(200, { 'content-type': 'application/octet-stream', connection: 'close' }).end(answer);
    } catch {
      response.writeHead(503, { 'retry-after': '5', connection: 'close' }).end();
    }
  }

  /** Only to hosts of this service: the name comes from the client. */
  private secureUrl(host: string, path: string): string | undefined {
    const { httpsPort, publicUrl } = this.config.values;
    // A request line may hold a whole address, or `*`.
    if (!path.startsWith('/')) return undefined;
    if (this.hosts.isTrusted(host)) return `https://${host}${httpsPort === 443 ? '' : `:${httpsPort}`}${path}`;
    return publicUrl?.startsWith('https:') === true ? `${publicUrl}${path}` : undefined;
  }

  private async open(server: NetServer, port: number): Promise<void> {
    server.on('connection', (socket: Socket) => socket.on('error', () => socket.destroy()));
    try {
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, resolve));
      this.servers.push(server);
      this.logger.info({ port: (server.address() as AddressInfo).port }, 'listening');
    } catch (error) {
      this.logger.warn({ error, port }, 'a port cannot be listened on');
    }
  }
}
