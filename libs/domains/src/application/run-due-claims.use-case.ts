import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { CheckClaim } from './check-claim.use-case.js';
import { ClaimRepository } from './ports/claim-repository.port.js';

const maxPerRun = 8;
const leaseMs = 5 * 60_000;

export interface DueClaims {
  readonly taken: number;
  readonly failures: readonly unknown[];
}

/**
 * Leases some of the claims whose check is due, and checks them. A claim whose check fails is due again when its lease
 * ends.
 */
@Injectable()
export class RunDueClaims {
  constructor(
    private readonly claims: ClaimRepository,
    private readonly checkClaim: CheckClaim,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<DueClaims> {
    const now = this.clock.now();
    const ids = await this.claims.takeDue(now, new Date(now.getTime() + leaseMs), maxPerRun);
    const results = await Promise.allSettled(ids.map((id) => this.checkClaim.execute(id)));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    return { taken: ids.length, failures };
  }
}
