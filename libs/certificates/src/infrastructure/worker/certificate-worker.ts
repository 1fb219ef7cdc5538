import { isUuid } from '#kernel';
import { Config } from '#platform/config';
import { Logger } from '#observability/logging';
import { Timers } from '#platform/timers';
import { ProcessNotifications } from '#postgres/database';
import { LeasedWork, WorkHost } from '#queue/leases';
import { Injectable } from '@nestjs/common';
import { ObtainCertificates } from '../../application/obtain-certificates.use-case.js';
import { CertificateStore } from '../../application/ports/certificate-store.port.js';
import { CertificateLease, leaseMs, ownHosts } from '../../domain/host-certificate.js';

/** Reads all domains. Changes of one are followed at once. */
const keepEveryMs = 300_000;
/** The ports of this process are open by then: an authority that finds none is asked again after an hour. */
const firstMs = 2_000;

/** Orders and renews certificates, one at a time in each process, and follows the domains that have tracking hosts. */
@Injectable()
export class CertificateWorker extends LeasedWork<CertificateLease> {
  // oxlint-disable-next-line max-params -- A worker, and what it follows.
  constructor(
    host: WorkHost,
    private readonly certificates: ObtainCertificates,
    private readonly store: CertificateStore,
    private readonly config: Config,
    private readonly timers: Timers,
    private readonly notifications: ProcessNotifications,
    private readonly logger: Logger,
  ) {
    super(host, {
      task: 'ordering certificates',
      found: '(SELECT min(due_at) FROM certificates) <= $1',
      everyMs: 5_000,
      wokenBy: 'certificates',
      renewEveryMs: leaseMs / 4,
    });
  }

  override onApplicationBootstrap(): void {
    const { values } = this.config;
    if (values.tlsAcme === 'off') return;
    super.onApplicationBootstrap();
    const keep = (): Promise<void> => this.certificates.keepHosts(ownHosts(values));
    this.timers.every(keepEveryMs, 'finding hosts without a certificate', keep, firstMs);
    this.notifications.on('domains', (id) => void (isUuid(id) && this.follow(id)));
    if (values.secretKeyPrevious.length > 0) void this.reseal();
  }

  protected async claim(): Promise<readonly CertificateLease[]> {
    const lease = await this.certificates.claim();
    return lease === undefined ? [] : [lease];
  }

  protected override renew(lease: CertificateLease): Promise<void> {
    return this.certificates.extend(lease);
  }

  protected async work(lease: CertificateLease, stopping: AbortSignal): Promise<void> {
    const { host } = lease;
    const outcome = await this.certificates.obtain(lease, stopping);
    if (outcome === 'issued' || outcome === 'revoked') this.logger.info({ host }, `a certificate was ${outcome}`);
    if (typeof outcome === 'object') {
      this.logger.warn({ host, error: outcome }, 'a certificate was not issued; it is tried again');
    }
  }

  /** What is missed here is found by the next `keepHosts`. */
  private async follow(domainId: string): Promise<void> {
    await this.certificates
      .followDomain(domainId)
      .catch((error: unknown) => this.logger.debug({ error }, 'the tracking host of a domain could not be followed'));
  }

  private async reseal(): Promise<void> {
    try {
      await this.store.reseal();
    } catch (error) {
      this.logger.error(
        { error },
        'certificates could not be sealed with the current SECRET_KEY; keep SECRET_KEY_PREVIOUS',
      );
    }
  }
}
