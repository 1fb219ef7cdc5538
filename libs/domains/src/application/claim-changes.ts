import { Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Domain } from '../domain/domain.js';
import { DomainClaim, nextClaimCheckAt } from '../domain/domain-claim.js';
import { CreateDomain } from './create-domain.use-case.js';
import { DomainRecords } from './domain-records.js';
import { ClaimRepository, DomainActivity, DomainRepository } from './ports/domain-repository.port.js';

/** What a check of a claim changes. */
@Injectable()
export class ClaimChanges {
  constructor(
    private readonly claims: ClaimRepository,
    private readonly domains: DomainRepository,
    private readonly createDomain: CreateDomain,
    private readonly records: DomainRecords,
    private readonly activity: DomainActivity,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** One transaction, so that the name always belongs to exactly one team. */
  async complete(claim: DomainClaim, owner: Domain | undefined, now: Date): Promise<void> {
    const prepared = await this.createDomain.prepare(claim.teamId, claim.domainId, claim.settings);
    const keys = owner === undefined ? [] : await this.domains.keys(owner.id);
    await this.unitOfWork.run(async (transaction: Transaction) => {
      if (!(await this.claims.update(claim, transaction))) return;
      if (owner !== undefined && (await this.domains.delete(owner.id, owner.teamId, transaction))) {
        await this.activity.domainDeleted(owner.id, transaction);
        await this.records.announce('domain.deleted', owner, keys, now, transaction);
      }
      await this.createDomain.insert(prepared, transaction);
      await this.claims.supersedeOthers(claim, transaction);
    });
  }

  async save(claim: DomainClaim, now: Date): Promise<void> {
    const next = { ...claim, nextCheckAt: nextClaimCheckAt(claim, now) };
    await this.unitOfWork.run((transaction) => this.claims.update(next, transaction));
  }
}
