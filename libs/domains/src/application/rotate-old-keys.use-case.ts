import { Clock, DomainError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Domain } from '../domain/domain.js';
import { DomainRepository } from './ports/domain-repository.port.js';
import { RotationPolicy } from './ports/rotation-policy.port.js';
import { RotateDkimKeys } from './rotate-dkim-keys.use-case.js';

/** Rotates old keys where the customer has nothing to do: those of verified domains with delegated DKIM. */
@Injectable()
export class RotateOldKeys {
  constructor(
    private readonly policy: RotationPolicy,
    private readonly domains: DomainRepository,
    private readonly rotate: RotateDkimKeys,
    private readonly clock: Clock,
  ) {}

  /** Checks the keys of the domains that have just been checked. Every verified domain is checked each hour. */
  async execute(checked: readonly Domain[]): Promise<void> {
    const { maxAgeMs } = this.policy;
    if (maxAgeMs === undefined) return;
    const oldest = this.clock.now().getTime() - maxAgeMs;
    for (const domain of checked) {
      if (domain.dkimPublication !== 'cname' || domain.status !== 'verified') continue;
      const keys = await this.domains.keys(domain.id);
      const isOld = keys.some(({ state, createdAt }) => state === 'signing' && createdAt.getTime() <= oldest);
      if (isOld) await this.rotateUnlessOccupied(domain);
    }
  }

  /** The selector of the next key may still be in use by the key before the current one. The next check tries again. */
  private async rotateUnlessOccupied(domain: Domain): Promise<void> {
    try {
      await this.rotate.execute(domain.teamId, domain.id);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
}
