import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Domain } from '../domain/domain.js';
import { statusOf } from '../domain/domain-status.js';
import { restarted } from '../domain/record-check.js';
import { ChangeDomain, DomainWithKeys } from './change-domain.js';
import { DomainRecords } from './domain-records.js';

/**
 * Makes a check of the domain's records due now, and starts waiting again for records that had failed. Returns at once.
 */
@Injectable()
export class VerifyDomain {
  constructor(
    private readonly change: ChangeDomain,
    private readonly records: DomainRecords,
    private readonly clock: Clock,
  ) {}

  execute(teamId: string, id: string): Promise<Domain> {
    const now = this.clock.now();
    return this.change.execute(
      teamId,
      id,
      (current) => ({ ...current, before: current.domain, domain: this.restarted(current, now) }),
      async ({ before, domain, keys }, transaction) => {
        if (before.status === domain.status) return;
        await this.records.announce('domain.updated', domain, keys, now, transaction);
      },
    );
  }

  private restarted({ domain, keys }: DomainWithKeys, now: Date): Domain {
    if (domain.sandbox) return domain;
    const checks = Object.fromEntries(
      Object.entries(this.records.align(domain, keys)).map(([key, check]) => [
        key,
        restarted(check, check.purpose, now),
      ]),
    );
    return { ...domain, checks, status: statusOf(Object.values(checks)), nextCheckAt: now };
  }
}
