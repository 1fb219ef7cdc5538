import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Domain } from '../domain/domain.js';
import { claimHost, DomainClaim, isOpen, obstacleTo, provesClaim, recentActivityMs } from '../domain/domain-claim.js';
import { ClaimChanges } from './claim-changes.js';
import { ClaimRepository, DomainActivity, DomainRepository } from './ports/domain-repository.port.js';
import { DnsResolver, DnsUnavailableError } from './ports/dns-resolver.port.js';

const leaseMs = 5 * 60_000;

/** Looks for the DNS record that proves a claim, and moves the domain to the claimant once nothing prevents it. */
@Injectable()
export class CheckClaims {
  constructor(
    private readonly claims: ClaimRepository,
    private readonly domains: DomainRepository,
    private readonly changes: ClaimChanges,
    private readonly activity: DomainActivity,
    private readonly dns: DnsResolver,
    private readonly clock: Clock,
  ) {}

  /** Leases claims whose check is due, at most `limit`. A claim whose check fails is due again when its lease ends. */
  claimDue(limit: number, held: readonly string[] = []): Promise<readonly string[]> {
    const now = this.clock.now();
    return this.claims.takeDue(now, new Date(now.getTime() + leaseMs), limit, held);
  }

  async check(claimId: string): Promise<void> {
    const claim = await this.claims.read(claimId);
    if (claim === undefined || !isOpen(claim)) return;
    const now = this.clock.now();
    if (claim.expiresAt <= now) return this.changes.save({ ...claim, status: 'expired', blockedReason: null }, now);
    if (!(await this.isProven(claim))) return this.changes.save(claim, now);
    const proven: DomainClaim = { ...claim, status: 'verified', provenAt: claim.provenAt ?? now };
    // Reads the stored state and not the cached one: the owner may have changed the domain a moment ago.
    const owned = await this.domains.findOwned(claim.name);
    const owner = owned === undefined ? undefined : await this.domains.read(owned.id);
    // The owner has deleted it, and the claimant has created it without waiting: there is nothing left to move.
    if (owner?.teamId === claim.teamId) return this.changes.save({ ...proven, status: 'superseded' }, now);
    const obstacle = owner === undefined ? undefined : await this.obstacle(proven, owner, now);
    if (obstacle !== undefined)
      return this.changes.save({ ...proven, status: 'blocked', blockedReason: obstacle }, now);
    await this.changes.complete({ ...proven, status: 'completed', blockedReason: null, nextCheckAt: null }, owner, now);
  }

  /**
   * A proof that was seen once stays valid, even if its record is removed. Without an answer from the DNS there is no
   * proof yet; a later check may find one.
   */
  private async isProven(claim: DomainClaim): Promise<boolean> {
    if (claim.provenAt !== null) return true;
    try {
      return provesClaim(await this.dns.txt(claimHost(claim.name)), claim);
    } catch (error) {
      if (error instanceof DnsUnavailableError) return false;
      throw error;
    }
  }

  private async obstacle(claim: DomainClaim, owner: Domain, now: Date): Promise<ReturnType<typeof obstacleTo>> {
    const since = new Date(now.getTime() - recentActivityMs);
    return obstacleTo(
      claim,
      {
        hasScheduledEmails: await this.activity.hasScheduledEmails(owner.id),
        sentRecently: await this.activity.hasSentSince(owner.teamId, owner.id, since),
        isVerified: owner.status === 'verified',
      },
      now,
    );
  }
}
