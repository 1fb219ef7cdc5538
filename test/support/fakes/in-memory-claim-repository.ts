import { Transaction } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import { ClaimRepository } from '../../../libs/domains/src/application/ports/domain-repository.port.js';
import { DomainClaim, isOpen } from '../../../libs/domains/src/domain/domain-claim.js';

/** The claims of one process, for tests: nothing survives the process. */
export class InMemoryClaimRepository extends ClaimRepository {
  private readonly rows = new InMemoryRows<DomainClaim>();

  async insert(claim: DomainClaim): Promise<boolean> {
    if ((await this.findOpen(claim.teamId, claim.name)) !== undefined) return false;
    this.rows.set(claim);
    return true;
  }

  async findOpen(teamId: string, name: string): Promise<DomainClaim | undefined> {
    return this.rows.where((claim) => claim.teamId === teamId && claim.name === name && isOpen(claim))[0];
  }

  async findByDomain(teamId: string, domainId: string): Promise<DomainClaim | undefined> {
    return this.rows.where((claim) => claim.teamId === teamId && claim.domainId === domainId).at(-1);
  }

  async read(id: string): Promise<DomainClaim | undefined> {
    return this.rows.get(id);
  }

  async makeDue(id: string, now: Date): Promise<void> {
    const claim = this.rows.get(id);
    if (claim !== undefined && isOpen(claim)) this.rows.set({ ...claim, nextCheckAt: now });
  }

  async takeDue(now: Date, leaseUntil: Date, limit: number): Promise<readonly string[]> {
    const dueAt = ({ nextCheckAt }: DomainClaim): number => nextCheckAt?.getTime() ?? Infinity;
    const due = this.rows.where((claim) => dueAt(claim) <= now.getTime()).sort((a, b) => dueAt(a) - dueAt(b));
    return due.slice(0, limit).map((claim) => {
      this.rows.set({ ...claim, nextCheckAt: leaseUntil });
      return claim.id;
    });
  }

  async update(claim: DomainClaim, transaction: Transaction): Promise<boolean> {
    const stored = this.rows.get(claim.id);
    if (stored === undefined || !isOpen(stored)) return false;
    const { status, blockedReason, failureReason, provenAt, nextCheckAt } = claim;
    this.rows.set({ ...stored, status, blockedReason, failureReason, provenAt, nextCheckAt }, transaction);
    return true;
  }

  async supersedeOthers({ id, name }: DomainClaim, transaction: Transaction): Promise<void> {
    for (const claim of this.rows.where((other) => other.name === name && other.id !== id && isOpen(other))) {
      this.rows.set({ ...claim, status: 'superseded', nextCheckAt: null }, transaction);
    }
  }
}
