import { Clock, DomainError } from '#kernel';
import { Domain } from '../domain/domain.js';
import { ChangeDomain } from './change-domain.use-case.js';
import { DomainRepository } from './ports/domain-repository.port.js';

const dayMs = 86_400_000;

/** Rotates old keys if the customer has nothing to do for it: those of verified domains with delegated DKIM. */
export class RotateOldKeys {
  constructor(
    /** The age at which keys are rotated. With 0 they never are. */
    private readonly maxAgeDays: number,
    private readonly domains: DomainRepository,
    private readonly change: ChangeDomain,
    private readonly clock: Clock,
  ) {}

  /** Checks the keys of the domains that have just been checked. Every verified domain is checked each hour. */
  async rotateAmong(checked: readonly Domain[]): Promise<void> {
    if (this.maxAgeDays === 0) return;
    const oldest = this.clock.now().getTime() - this.maxAgeDays * dayMs;
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
      await this.change.rotateKeys(domain.teamId, domain.id);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
}
