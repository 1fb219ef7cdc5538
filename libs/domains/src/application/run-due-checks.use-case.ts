import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { CheckDomain, CheckedDomain } from './check-domain.use-case.js';
import { DomainRepository } from './ports/domain-repository.port.js';

const maxPerRun = 8;
/** Much longer than the look-ups of one domain take when no name server responds. */
const leaseMs = 5 * 60_000;

export interface CheckFailure {
  readonly domainId: string;
  readonly error: unknown;
}

export interface DueChecks {
  readonly taken: number;
  readonly checked: readonly CheckedDomain[];
  readonly failures: readonly CheckFailure[];
}

/**
 * Leases some of the domains whose check is due, and checks them. A domain whose check fails is due again when its
 * lease ends.
 */
@Injectable()
export class RunDueChecks {
  constructor(
    private readonly domains: DomainRepository,
    private readonly checkDomain: CheckDomain,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<DueChecks> {
    const now = this.clock.now();
    const ids = await this.domains.takeDueChecks(now, new Date(now.getTime() + leaseMs), maxPerRun);
    const results = await Promise.allSettled(ids.map((id) => this.checkDomain.execute(id)));
    const checked: CheckedDomain[] = [];
    const failures: CheckFailure[] = [];
    results.forEach((result, index) => {
      if (result.status === 'rejected') failures.push({ domainId: ids[index] as string, error: result.reason });
      else if (result.value !== undefined) checked.push(result.value);
    });
    return { taken: ids.length, checked, failures };
  }
}
