import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Domain } from '../domain/domain.js';
import { statusOf } from '../domain/domain-status.js';
import { DomainChanges, settingsWith } from '../domain/new-domain.js';
import { ChangeDomain, DomainWithKeys } from './change-domain.js';
import { DomainRecords } from './domain-records.js';

/** Changes the settings of a domain. Where verification has begun, records that the change adds are checked at once. */
@Injectable()
export class UpdateDomain {
  constructor(
    private readonly change: ChangeDomain,
    private readonly records: DomainRecords,
    private readonly clock: Clock,
  ) {}

  execute(teamId: string, id: string, changes: DomainChanges): Promise<Domain> {
    const now = this.clock.now();
    return this.change.execute(
      teamId,
      id,
      (current) => ({ ...current, domain: this.changed(current, changes, now) }),
      ({ domain, keys }, transaction) => this.records.announce('domain.updated', domain, keys, now, transaction),
    );
  }

  private changed({ domain, keys }: DomainWithKeys, changes: DomainChanges, now: Date): Domain {
    const given = Object.values(changes).some((value) => value !== undefined);
    if (!given) return domain;
    const changed = { ...domain, ...settingsWith(changes, domain.customReturnPath, domain) };
    if (domain.sandbox) return changed;
    const begun = domain.status !== 'not_started';
    const checks = this.records.align(
      changed,
      keys,
      begun ? { status: 'pending', since: now.toISOString() } : { status: 'not_started' },
    );
    return {
      ...changed,
      checks,
      status: statusOf(Object.values(checks)),
      nextCheckAt: begun ? now : domain.nextCheckAt,
    };
  }
}
