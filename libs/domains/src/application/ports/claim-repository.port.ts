import { Transaction } from '#kernel';
import { DomainClaim } from '../../domain/domain-claim.js';

export abstract class ClaimRepository {
  /** Returns false and stores nothing if the team already has an open claim of this name. */
  abstract insert(claim: DomainClaim): Promise<boolean>;

  abstract findOpen(teamId: string, name: string): Promise<DomainClaim | undefined>;

  /** The latest claim that belongs to a (future) domain of the team. */
  abstract findByDomain(teamId: string, domainId: string): Promise<DomainClaim | undefined>;

  abstract read(id: string): Promise<DomainClaim | undefined>;

  /** Makes the next check of an open claim due now. */
  abstract makeDue(id: string, now: Date): Promise<void>;

  /** Leases claims whose check is due, as `DomainRepository.takeDueChecks` does. */
  abstract takeDue(now: Date, leaseUntil: Date, limit: number, held?: readonly string[]): Promise<readonly string[]>;

  /** Writes status, reasons and times of an open claim. Returns false if it is no longer open. */
  abstract update(claim: DomainClaim, transaction: Transaction): Promise<boolean>;

  /** Ends the other open claims of a name after one claim has succeeded. */
  abstract supersedeOthers(claim: DomainClaim, transaction: Transaction): Promise<void>;
}
