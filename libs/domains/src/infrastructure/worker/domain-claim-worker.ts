import { Logger } from '#observability/logging';
import { LeasedWork, WorkHost } from '#queue/leases';
import { Injectable } from '@nestjs/common';
import { CheckClaims } from '../../application/check-claims.use-case.js';

/** Looks for the proofs of claims that are due. */
@Injectable()
export class DomainClaimWorker extends LeasedWork<string> {
  constructor(
    host: WorkHost,
    private readonly claims: CheckClaims,
    private readonly logger: Logger,
  ) {
    super(host, { task: 'checking claims of domains', everyMs: 2_000, wokenBy: 'domains', maxLeases: 8 });
  }

  protected claim(limit: number): Promise<readonly string[]> {
    return this.claims.claimDue(limit, this.held);
  }

  protected async work(claimId: string): Promise<void> {
    try {
      await this.claims.check(claimId);
    } catch (error) {
      this.logger.error({ error, claimId }, 'a check of a domain claim failed');
    }
  }
}
