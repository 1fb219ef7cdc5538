import { hostname } from 'node:os';
import type { AddressInfo } from 'node:net';
import { maxEmailBytes, maxRecipients } from '#emails';
import { Clock } from '#kernel';
import { Config, SmtpListenAddress } from '#platform/config';
import { Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { TlsCertificate } from '#platform/tls';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { AcceptSubmission } from '../../application/accept-submission.use-case.js';
import { IncomingMail } from '../../application/ports/incoming-mail.port.js';
import { ConnectionPlaces } from '../../domain/connection-places.js';
import { WorkAllowance } from '../../domain/work-allowance.js';
import { Arrivals } from './arrivals.js';
import { IncomingSessions } from './incoming-sessions.js';
import { NoProxyHeaderError } from './proxied-client.js';
import { Receptions } from './reception.js';
import {
  generalLimits,
  incomingReception,
  placeLimits,
  submissionReception,
  SubmissionLimits,
  workLimits,
} from './submission-limits.js';
import { SubmissionServer } from './submission-server.js';
import { SubmissionSessions } from './submission-sessions.js';
import { trustedProxies as isProxy } from './trusted-proxies.js';

export interface UnavailableListener {
  readonly address: SmtpListenAddress;
  /** Such as EACCES or EADDRINUSE. */
  readonly reason: string;
}

export interface SubmissionPorts {
  /** The actual ports, where port 0 was requested. */
  readonly listening: readonly SmtpListenAddress[];
  readonly unavailable: readonly UnavailableListener[];
}

/** Opens the ports of SMTP submission. A port that cannot be opened is logged once, and the others serve. */
@Injectable()
export class SubmissionListeners implements BeforeApplicationShutdown {
  private readonly servers: SubmissionServer[] = [];
  private readonly refusals: Counter<'code'>;

  // eslint-disable-next-line max-params -- One story: opens the ports, with what the sessions on them need.
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
    const sessions = this.sessions(smtpUsername, limits.messageBytes);
    const incoming = this.incoming();
    const work = new WorkAllowance(workLimits);
    const arrivals = this.arrivals(work);
    const listening: SmtpListenAddress[] = [];
    const unavailable: UnavailableListener[] = [];
    for (const address of smtpListen) {
      const { implicitTls, isMx, host, port } = address;
      const handlers = sessions.handlers(isMx ? incoming : undefined);
      const { hostName } = this;
      const own = { hostName, implicitTls, isMx, certificate };
      const server = new SubmissionServer({ ...own, limits, arrivals, work, handlers });
      server.on('error', (error) => this.logBroken(error));
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

  private logBroken(error: Error): void {
    if (error instanceof NoProxyHeaderError) this.logger.warn(error.message);
    else this.logger.debug({ error }, 'an SMTP connection broke');
  }

  private get hostName(): string {
    return this.config.values.heloName ?? hostname();
  }

  private sessions(usernames: readonly string[], messageBytes: number): SubmissionSessions {
    const { acceptSubmission, clock, logger, refusals } = this;
    const receptions = new Receptions(submissionReception);
    return new SubmissionSessions(acceptSubmission, { usernames, messageBytes }, receptions, clock, logger, refusals);
  }

  private incoming(): IncomingSessions {
    const receptions = new Receptions(incomingReception);
    return new IncomingSessions(this.incomingMail, receptions, this.clock);
  }

  private arrivals(work: WorkAllowance): Arrivals {
    const { smtpConnectionsPerAddress, smtpProxyProtocol, trustedProxies } = this.config.values;
    const places = new ConnectionPlaces(placeLimits(smtpConnectionsPerAddress));
    return new Arrivals(places, work, isProxy(smtpProxyProtocol ? trustedProxies : []));
  }

  private limits(): SubmissionLimits {
    const { shutdownSeconds } = this.config.values;
    return {
      ...generalLimits,
      recipients: maxRecipients,
      messageBytes: maxEmailBytes,
      stopMs: shutdownSeconds * 1_000,
    };
  }
}
