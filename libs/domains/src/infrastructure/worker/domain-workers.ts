import { Injectable } from '@nestjs/common';
import { Logger } from '#observability/logging';
import { LeasedWork, WorkHost } from '#queue/leases';
import { CheckClaims } from '../../application/check-claims.use-case.js';
import { CheckDomains, CheckedDomain } from '../../application/check-domains.use-case.js';
import { RotateOldKeys } from '../../application/rotate-old-keys.use-case.js';

/** Checks the records of domains that are due. A change that makes a check due starts a search at once. */
@Injectable()
export class DomainCheckWorker extends LeasedWork<string> {
  constructor(
    host: WorkHost,
    private readonly checks: CheckDomains,
    private readonly rotate: RotateOldKeys,
    private readonly logger: Logger,
  ) {
    super(host, {
      task: 'checking domains',
      found: '(SELECT min(next_check_at) FROM domains) <= $1',
      everyMs: 2_000,
      wokenBy: 'domains',
      maxLeases: 8,
    });
  }

  protected claim(limit: number): Promise<readonly string[]> {
    return this.checks.claimDue(limit, this.held);
  }

  protected async work(domainId: string): Promise<void> {
    try {
      const checked = await this.checks.check(domainId);
      if (checked === undefined) return;
      this.report(checked);
      await this.rotate.rotateAmong([checked.domain]);
    } catch (error) {
      this.logger.error({ error, domainId }, 'a domain check failed');
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

/** Looks for the proofs of claims that are due. */
@Injectable()
export class DomainClaimWorker extends LeasedWork<string> {
  constructor(
    host: WorkHost,
    private readonly claims: CheckClaims,
    private readonly logger: Logger,
  ) {
    super(host, {
      task: 'checking claims of domains',
      found: '(SELECT min(next_check_at) FROM domain_claims) <= $1',
      everyMs: 2_000,
      wokenBy: 'domains',
      maxLeases: 8,
    });
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
