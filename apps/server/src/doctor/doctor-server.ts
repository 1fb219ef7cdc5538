import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Config } from '#platform/config';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { DoctorReport, RunDoctor } from './run-doctor.js';

/**
 * Serves `GET /doctor` on a separate port, if one is configured: the report contains domains and addresses and is not
 * for the public. The status is 503 if anything is red, else 200. Requests that arrive while the checks run share their
 * report.
 */
@Injectable()
export class DoctorServer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private server: Server | undefined;
  private running: Promise<DoctorReport> | undefined;

  constructor(
    private readonly config: Config,
    private readonly doctor: RunDoctor,
  ) {}

  /** Undefined if it does not listen. */
  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | undefined)?.port;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { doctorListen } = this.config.values;
    if (doctorListen === undefined) return;
    const server = createServer((request, response) => void this.respond(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(doctorListen.port, doctorListen.host, resolve);
    });
    this.server = server;
  }

  async beforeApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/doctor') {
      response.writeHead(404).end();
      return;
    }
    this.running ??= this.doctor.diagnose().finally(() => (this.running = undefined));
    const report = await this.running;
    response.writeHead(report.level === 'red' ? 503 : 200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(report));
  }
}
