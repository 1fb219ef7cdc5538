import { hostname } from 'node:os';
import type { AddressInfo } from 'node:net';
import { maximumEmailSize, maximumRecipients } from '#emails';
import { Clock } from '#kernel';
import { Config, SmtpListenAddress } from '#platform/config';
import { Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { TlsCertificate } from '#platform/tls';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { AcceptSubmission } from '../../application/accept-submission.use-case.js';
import { IncomingMail } from '../../application/ports/incoming-mail.port.js';
import { IncomingSessions } from './incoming-sessions.js';
import { generalLimits, SubmissionLimits } from './submission-limits.js';
import { ConnectionCounts, SubmissionServer } from './submission-server.js';
import { SubmissionSessions } from './submission-sessions.js';

export interface UnavailableListener {
  readonly address: SmtpListenAddress;
  /** Such as EACCES or EADDRINUSE. */
  readonly reason: string;
}

export interface SubmissionPorts {
  /** With the ports as they are, where 0 was asked for. */
  readonly listening: readonly SmtpListenAddress[];
  readonly unavailable: readonly UnavailableListener[];
}

/** The ports of SMTP submission. One that cannot be had is said once, and the rest serve. */
@Injectable()
export class SubmissionListeners implements BeforeApplicationShutdown {
  private readonly servers: SubmissionServer[] = [];
  private readonly counts: ConnectionCounts = new Map();
  private readonly refusals: Counter<'code'>;

  constructor(
    private readonly config: Config,
    private readonly certificates: TlsCertificate,
    private readonly acceptSubmission: AcceptSubmission,
    private readonly incomingMail: IncomingMail,
    private readonly clock: Clock,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.refusals = metrics.counter('postrider_smtp_refusals_total', 'SMTP logins, commands and messages refused', [
      'code',
    ]);
  }

  async listen(): Promise<SubmissionPorts> {
    const { smtpListen, smtpUsername } = this.config.values;
    if (smtpListen.length === 0) return { listening: [], unavailable: [] };
    const certificate = await this.certificates.load();
    const limits = this.limits();
    const { acceptSubmission, clock, logger, refusals } = this;
    const sessions = new SubmissionSessions(acceptSubmission, smtpUsername, limits, clock, logger, refusals);
    const incoming = new IncomingSessions(this.incomingMail, clock);
    const listening: SmtpListenAddress[] = [];
    const unavailable: UnavailableListener[] = [];
    for (const address of smtpListen) {
      const { implicitTls, isMx, host, port } = address;
      const handlers = sessions.handlers(isMx ? incoming : undefined);
      const { counts, hostName } = this;
      const server = new SubmissionServer({ hostName, implicitTls, isMx, certificate, limits, counts, handlers });
      server.on('error', (error) => this.logger.debug({ error }, 'an SMTP connection broke'));
      try {
        await server.bind(port, host);
        this.servers.push(server);
        listening.push({ ...address, port: (server.server.address() as AddressInfo).port });
      } catch (error) {
        unavailable.push({ address, reason: (error as NodeJS.ErrnoException).code ?? 'unknown' });
      }
    }
    this.certificates.onChange((renewed) => this.servers.forEach((server) => server.updateSecureContext(renewed)));
    if (unavailable.length > 0) this.logger.warn({ unavailable }, 'some SMTP ports cannot be listened on');
    return { listening, unavailable };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.servers.splice(0).map((server) => server.stop()));
  }

  private get hostName(): string {
    return this.config.values.heloName ?? hostname();
  }

  private limits(): SubmissionLimits {
    const { smtpConnectionsPerAddress, shutdownSeconds } = this.config.values;
    return {
      ...generalLimits,
      connectionsPerAddress: smtpConnectionsPerAddress,
      recipients: maximumRecipients,
      messageBytes: maximumEmailSize,
      stopMs: shutdownSeconds * 1_000,
    };
  }
}
