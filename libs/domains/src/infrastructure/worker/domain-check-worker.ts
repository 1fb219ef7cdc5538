import { Broadcast } from '#platform/database';
import { Logger } from '#platform/logging';
import { Timers } from '#platform/timers';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { CheckedDomain } from '../../application/check-domain.use-case.js';
import { RotateOldKeys } from '../../application/rotate-old-keys.use-case.js';
import { RunDueChecks } from '../../application/run-due-checks.use-case.js';
import { RunDueClaims } from '../../application/run-due-claims.use-case.js';

/** Interval between searches for due checks. A change that makes a check due starts a search at once. */
const everyMs = 2_000;
const domainsChanged = 'domains';

/** Runs the due checks of domains and claims. Any number of processes may do so at the same time. */
@Injectable()
export class DomainCheckWorker implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private running: Promise<void> | undefined;
  private again = false;
  private started = false;
  private stopped = false;

  constructor(
    private readonly checks: RunDueChecks,
    private readonly claims: RunDueClaims,
    private readonly rotate: RotateOldKeys,
    private readonly timers: Timers,
    private readonly logger: Logger,
    private readonly broadcast: Broadcast,
  ) {}

  onModuleInit(): void {
    this.broadcast.on(domainsChanged, () => this.startRun());
  }

  onApplicationBootstrap(): void {
    this.started = true;
    this.timers.every(everyMs, 'looking for due domain checks', async () => {
      this.startRun();
      await this.running;
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private startRun(): void {
    this.again = true;
    if (this.running !== undefined || this.stopped || !this.started) return;
    this.running = this.run()
      .catch((error: unknown) => this.logger.warn({ error }, 'the search for due domain checks failed'))
      .finally(() => (this.running = undefined));
  }

  private async run(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      const { taken, checked, failures } = await this.checks.execute();
      checked.forEach((domain) => this.report(domain));
      for (const { domainId, error } of failures) this.logger.error({ error, domainId }, 'a domain check failed');
      const due = await this.claims.execute();
      for (const error of due.failures) this.logger.error({ error }, 'a check of a domain claim failed');
      await this.rotate.execute(checked.map(({ domain }) => domain));
      if (taken + due.taken > 0) this.again = true;
    }
  }

  private report({ before, domain }: CheckedDomain): void {
    if (before.status === domain.status) return;
    const fields = { domainId: domain.id, from: before.status, to: domain.status };
    if (domain.status === 'temporary_failure') {
      this.logger.warn(
        fields,
        'a verified domain lost a record; it stops sending unless the record comes back within 72 h',
      );
    } else if (domain.status === 'failed' || domain.status === 'partially_failed') {
      this.logger.warn(fields, 'a domain has failed verification');
    } else {
      this.logger.info(fields, 'the status of a domain changed');
    }
  }
}
