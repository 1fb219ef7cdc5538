import { randomBytes } from 'node:crypto';
import { Clock, newId, NotFoundError, UnitOfWork, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { claimLifeMs, DomainClaim, isOpen } from '../domain/domain-claim.js';
import { Domain } from '../domain/domain.js';
import { NewDomain, parseNewName } from '../domain/new-domain.js';
import { CreateDomain } from './create-domain.use-case.js';
import { ClaimRepository, DomainRepository } from './ports/domain-repository.port.js';

/** Creates and reads claims of domains that belong to another team. */
@Injectable()
export class ClaimDomain {
  constructor(
    private readonly domains: DomainRepository,
    private readonly claims: ClaimRepository,
    private readonly createDomain: CreateDomain,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Returns the team's open claim of the name if it has one. */
  async claim(teamId: string, request: NewDomain): Promise<{ claim: DomainClaim; isNew: boolean }> {
    const name = parseNewName(request.name);
    const owned = await this.domains.findOwned(name);
    if (owned?.teamId === teamId) throw new ValidationError(`The ${name} domain belongs to your team already.`);
    if (owned === undefined || owned.sandbox) {
      throw new ValidationError(`The ${name} domain is not registered by another team. Create it instead.`);
    }
    const claim = this.newClaim(teamId, { ...request, name });
    // Refuses settings now with which the domain could not be created later.
    await this.createDomain.prepare(teamId, claim.domainId, claim.settings);
    if (await this.claims.insert(claim)) return { claim, isNew: true };
    const open = await this.claims.findOpen(teamId, name);
    return { claim: open ?? claim, isNew: false };
  }

  async find(teamId: string, domainId: string): Promise<DomainClaim> {
    const claim = await this.claims.findByDomain(teamId, domainId);
    if (claim === undefined) throw new NotFoundError('Domain claim');
    return claim;
  }

  /** Makes the next check of the proof due now. Returns at once, with the claim unchanged. */
  async verify(teamId: string, domainId: string): Promise<DomainClaim> {
    const claim = await this.find(teamId, domainId);
    if (isOpen(claim)) await this.claims.makeDue(claim.id, this.clock.now());
    return claim;
  }

  /** The domain that an open claim would become; undefined if there is no such claim. */
  async placeholder(teamId: string, domainId: string): Promise<Domain | undefined> {
    const claim = await this.claims.findByDomain(teamId, domainId);
    return claim !== undefined && isOpen(claim)
      ? { ...this.createDomain.draft(teamId, domainId, claim.settings), createdAt: claim.createdAt }
      : undefined;
  }

  /** Ends an open claim. Returns false if there is none. */
  async withdraw(teamId: string, domainId: string): Promise<boolean> {
    const claim = await this.claims.findByDomain(teamId, domainId);
    if (claim === undefined || !isOpen(claim)) return false;
    const canceled = { ...claim, status: 'canceled', blockedReason: null, nextCheckAt: null } as const;
    return this.unitOfWork.run((transaction) => this.claims.update(canceled, transaction));
  }

  private newClaim(teamId: string, settings: NewDomain): DomainClaim {
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + claimLifeMs);
    return {
      id: newId(now.getTime()),
      teamId,
      domainId: newId(now.getTime()),
      name: settings.name,
      status: 'pending',
      settings,
      token: newClaimToken(),
      blockedReason: null,
      failureReason: null,
      provenAt: null,
      // Looked at when its team asks, and else only to end it.
      nextCheckAt: expiresAt,
      createdAt: now,
      expiresAt,
    };
  }
}

/** What a claimant publishes: 160 random bits, letters and digits only. */
function newClaimToken(): string {
  return randomBytes(20).toString('hex');
}
