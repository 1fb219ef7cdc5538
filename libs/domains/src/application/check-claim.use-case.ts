import { Clock, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Domain } from '../domain/domain.js';
import {
  claimHost,
  DomainClaim,
  isOpen,
  nextClaimCheckAt,
  obstacleTo,
  provesClaim,
  recentActivityMs,
} from '../domain/domain-claim.js';
import { CreateDomain } from './create-domain.use-case.js';
import { DomainRecords } from './domain-records.js';
import { ClaimRepository } from './ports/claim-repository.port.js';
import { DnsResolver, DnsUnavailableError } from './ports/dns-resolver.port.js';
import { DomainActivity } from './ports/domain-activity.port.js';
import { DomainRepository } from './ports/domain-repository.port.js';

/** Looks for the DNS record that proves a claim, and moves the domain to the claimant once nothing prevents it. */
@Injectable()
export class CheckClaim {
  constructor(
    private readonly claims: ClaimRepository,
    private readonly domains: DomainRepository,
    private readonly createDomain: CreateDomain,
    private readonly records: DomainRecords,
    private readonly activity: DomainActivity,
    private readonly dns: DnsResolver,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute(claimId: string): Promise<void> {
    const claim = await this.claims.read(claimId);
    if (claim === undefined || !isOpen(claim)) return;
    const now = this.clock.now();
    if (claim.expiresAt <= now) return this.save({ ...claim, status: 'expired', blockedReason: null }, now);
    if (!(await this.isProven(claim))) return this.save(claim, now);
    const proven: DomainClaim = { ...claim, status: 'verified', provenAt: claim.provenAt ?? now };
    // Reads the stored state and not the cached one: the owner may have changed the domain a moment ago.
    const owned = await this.domains.findOwned(claim.name);
    const owner = owned === undefined ? undefined : await this.domains.read(owned.id);
    const obstacle = owner === undefined ? undefined : await this.obstacle(proven, owner, now);
    if (obstacle !== undefined) return this.save({ ...proven, status: 'blocked', blockedReason: obstacle }, now);
    await this.complete({ ...proven, status: 'completed', blockedReason: null, nextCheckAt: null }, owner, now);
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

  /** One transaction, so that the name always belongs to exactly one team. */
  private async complete(claim: DomainClaim, owner: Domain | undefined, now: Date): Promise<void> {
    const prepared = await this.createDomain.prepare(claim.teamId, claim.domainId, claim.settings);
    const keys = owner === undefined ? [] : await this.domains.keys(owner.id);
    await this.unitOfWork.run(async (transaction: Transaction) => {
      if (!(await this.claims.update(claim, transaction))) return;
      if (owner !== undefined && (await this.domains.delete(owner.id, owner.teamId, transaction))) {
        await this.records.announce('domain.deleted', owner, keys, now, transaction);
      }
      await this.createDomain.insert(prepared, transaction);
      await this.claims.supersedeOthers(claim, transaction);
    });
  }

  private async save(claim: DomainClaim, now: Date): Promise<void> {
    const next = { ...claim, nextCheckAt: nextClaimCheckAt(claim, now) };
    await this.unitOfWork.run((transaction) => this.claims.update(next, transaction));
  }
}
