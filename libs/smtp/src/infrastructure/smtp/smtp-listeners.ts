import { hostname } from 'node:os';
import type { AddressInfo } from 'node:net';
import { maxEmailBytes, maxRecipients } from '#emails';
import { Clock } from '#kernel';
import { Config, SmtpListenAddress } from '#platform/config';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { HostCertificates, TlsCertificate } from '#http/tls';
import { BeforeApplicationShutdown, Injectable, Optional } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { AcceptSubmission } from '../../application/accept-submission.use-case.js';
import { FeedbackMail, ReceivedMail } from '../../application/ports/received-mail.port.js';
import { OtherControlFields } from '../../application/ports/submission-choices.port.js';
import { ConnectionPlaces } from '../../domain/connection-places.js';
import { WorkAllowance } from '../../domain/work-allowance.js';
import { Arrivals, SmtpServer } from './smtp-server.js';
import { VisitorSessions } from './visitor-sessions.js';
import { NoProxyHeaderError, trustedProxies as isProxy } from './proxy-header.js';
import { Receptions } from './reception.js';
import {
  generalLimits,
  incomingReception,
  maxVisitorRecipients,
  placeLimits,
  submissionReception,
  SmtpLimits,
  workLimits,
} from './smtp-limits.js';
import { SmtpSessions } from './smtp-sessions.js';

export interface UnavailableListener {
  readonly address: SmtpListenAddress;
  /** Such as EACCES or EADDRINUSE. */
  readonly reason: string;
}

export interface SmtpPorts {
  /** The actual ports, if port 0 was requested. */
  readonly listening: readonly SmtpListenAddress[];
  readonly unavailable: readonly UnavailableListener[];
}

/**
 * Opens the ports of SMTP: for the role `smtp` all of them, for `inbound` alone those that receive without a login. A
 * port that cannot be opened is logged once, and the others serve.
 */
@Injectable()
export class SmtpListeners implements BeforeApplicationShutdown {
  private readonly servers: SmtpServer[] = [];
  private readonly refusals: Counter<'code'>;

  // oxlint-disable-next-line max-params -- One story: opens the ports, with what the sessions on them need.
  constructor(
    private readonly config: Config,
    private readonly certificates: TlsCertificate,
    private readonly hosts: HostCertificates,
    private readonly acceptSubmission: AcceptSubmission,
    private readonly feedbackMail: FeedbackMail,
    private readonly clock: Clock,
    private readonly logger: Logger,
    metrics: Metrics,
    @Optional() private readonly receivedMail?: ReceivedMail,
    @Optional() private readonly others?: OtherControlFields,
  ) {
    this.refusals = metrics.counter('postrider_smtp_refusals_total', 'SMTP logins, commands and messages refused', [
      'code',
    ]);
  }

  async listen(): Promise<SmtpPorts> {
    const { smtpUsername } = this.config.values;
    const isSubmission = this.config.has('smtp');
    const addresses = this.config.values.smtpListen.filter(({ isMx }) => isSubmission || isMx);
    if (addresses.length === 0) return { listening: [], unavailable: [] };
    const certificate = await this.certificates.load();
    const limits = this.limits();
    const sessions = this.sessions(smtpUsername, limits.messageBytes);
    const incoming = this.incoming();
    const work = new WorkAllowance(workLimits);
    const arrivals = this.arrivals(work);
    const listening: SmtpListenAddress[] = [];
    const unavailable: UnavailableListener[] = [];
    for (const address of addresses) {
      const { implicitTls, isMx, host, port } = address;
      const handlers = sessions.handlers(isMx ? incoming : undefined);
      const { hostName, hosts } = this;
      const own = { hostName, implicitTls, isMx, isSubmission, certificate, hosts };
      const recipients = isMx ? maxVisitorRecipients : limits.recipients;
      const server = new SmtpServer({ ...own, limits: { ...limits, recipients }, arrivals, work, handlers });
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

  private sessions(usernames: readonly string[], messageBytes: number): SmtpSessions {
    const { acceptSubmission, clock, logger, refusals, others } = this;
    const receptions = new Receptions(submissionReception);
    return new SmtpSessions(acceptSubmission, { usernames, messageBytes, others }, receptions, clock, logger, refusals);
  }

  private incoming(): VisitorSessions {
    const receptions = new Receptions(incomingReception);
    const options = { messageBytes: maxEmailBytes, messagesPerMinute: this.config.values.inboundMessagesPerMinute };
    return new VisitorSessions(this.feedbackMail, this.receivedMail, receptions, this.clock, options);
  }

  private arrivals(work: WorkAllowance): Arrivals {
    const { smtpConnectionsPerAddress, smtpProxyProtocol, trustedProxies } = this.config.values;
    const places = new ConnectionPlaces(placeLimits(smtpConnectionsPerAddress));
    return new Arrivals(places, work, isProxy(smtpProxyProtocol ? trustedProxies : []));
  }

  private limits(): SmtpLimits {
    const { shutdownSeconds } = this.config.values;
    return {
      ...generalLimits,
      recipients: maxRecipients,
      messageBytes: maxEmailBytes,
      stopMs: shutdownSeconds * 1_000,
    };
  }
}
