import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { CheckDomain, CheckedDomain } from './check-domain.use-case.js';
import { DomainRepository } from './ports/domain-repository.port.js';

const atOnce = 8;
/** Well beyond what the look-ups of one domain can take when every name server is silent. */
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

/** Takes some of the domains whose check is due and checks them. What fails is due again when its lease ends. */
@Injectable()
export class RunDueChecks {
  constructor(
    private readonly domains: DomainRepository,
    private readonly checkDomain: CheckDomain,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<DueChecks> {
    const now = this.clock.now();
    const ids = await this.domains.takeDueChecks(now, new Date(now.getTime() + leaseMs), atOnce);
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
