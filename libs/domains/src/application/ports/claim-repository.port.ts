import { Transaction } from '#kernel';
import { DomainClaim } from '../../domain/domain-claim.js';

export abstract class ClaimRepository {
  /** False, and nothing is stored, where the team has an open claim of this name already. */
  abstract insert(claim: DomainClaim): Promise<boolean>;

  abstract findOpen(teamId: string, name: string): Promise<DomainClaim | undefined>;

  /** The latest claim that belongs to a (future) domain of the team. */
  abstract findByDomain(teamId: string, domainId: string): Promise<DomainClaim | undefined>;

  abstract read(id: string): Promise<DomainClaim | undefined>;

  /** Has an open claim looked at now. */
  abstract makeDue(id: string, now: Date): Promise<void>;

  /** Takes claims whose check is due; the same lease as `DomainRepository.takeDueChecks`. */
  abstract takeDue(now: Date, leaseUntil: Date, limit: number): Promise<readonly string[]>;

  /** Writes status, reasons and times where the claim is still open; false where it is not. */
  abstract update(claim: DomainClaim, transaction: Transaction): Promise<boolean>;

  /** Ends the other open claims of a name that has been claimed successfully. */
  abstract supersedeOthers(claim: DomainClaim, transaction: Transaction): Promise<void>;
}
