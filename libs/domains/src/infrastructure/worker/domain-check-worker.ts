import { Broadcast } from '#platform/database';
import { Logger } from '#platform/logging';
import { Timers } from '#platform/timers';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { CheckedDomain } from '../../application/check-domain.use-case.js';
import { RotateOldKeys } from '../../application/rotate-old-keys.use-case.js';
import { RunDueChecks } from '../../application/run-due-checks.use-case.js';
import { RunDueClaims } from '../../application/run-due-claims.use-case.js';

/** How often due checks are looked for. A change that makes one due is told at once, so this is for what time brings. */
const everyMs = 2_000;
const domainsChanged = 'domains';

/** Keeps the checks of domains and claims running. Any number of processes may do so at once. */
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
    this.broadcast.on(domainsChanged, () => this.poke());
  }

  onApplicationBootstrap(): void {
    this.started = true;
    this.timers.every(everyMs, 'looking for due domain checks', async () => {
      this.poke();
      await this.running;
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private poke(): void {
    this.again = true;
    if (this.running !== undefined || this.stopped || !this.started) return;
    this.running = this.run()
      .catch((error: unknown) => this.logger.warn({ error }, 'looking for due domain checks failed'))
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
      this.logger.warn(fields, 'a verified domain lost a record; unless it comes back within 72 h it stops sending');
    } else if (domain.status === 'failed' || domain.status === 'partially_failed') {
      this.logger.warn(fields, 'a domain has failed verification');
    } else {
      this.logger.info(fields, 'the status of a domain changed');
    }
  }
}
