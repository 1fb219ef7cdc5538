import { Page, PageRequest, Transaction } from '#kernel';
import type { MaybePromise } from '#kernel';
import { DkimKeyInfo, Domain, NewSigningKey, PublicKey, SigningKey } from '../../domain/domain.js';
import { DomainClaim } from '../../domain/domain-claim.js';

/** A domain whose waiting mail may still be in a region that it sent from before. */
export interface MovedDomain {
  readonly id: string;
  readonly teamId: string;
  /** From where its mail leaves now. */
  readonly sendingRegion: string;
  readonly movedAt: Date;
}

/** Most domains that one call of `standIn` moves. */
export const maxMovedAtOnce = 1_000;

export abstract class DomainRepository {
  /** Throws DomainTakenError if any team has a domain of this name. A unique constraint decides, not a look-up. */
  abstract insert(domain: Domain, keys: readonly NewSigningKey[], transaction: Transaction): Promise<void>;

  /** Called for every accepted email: reads from a cache of a few seconds, which every change clears. */
  abstract findByName(teamId: string, name: string): MaybePromise<Domain | undefined>;

  /** The domain of this name, of any team. Cached like `findByName`. */
  abstract findOwned(name: string): MaybePromise<Domain | undefined>;

  /** Number of domains of the team. */
  abstract countOf(teamId: string): Promise<number>;

  abstract findById(id: string): MaybePromise<Domain | undefined>;

  /**
   * Reads the stored state, never a cache: changes must be based on it. Without `teamId`, reads a domain of any team.
   */
  abstract read(id: string, teamId?: string): Promise<Domain | undefined>;

  /** Newest first; without a page, all of them (at most 10,000). */
  abstract list(teamId: string, page?: PageRequest): Promise<Page<Domain>>;

  /** Domains of all teams with an id greater than `after`, in order of their ids. */
  abstract listAll(after: string | undefined, limit: number): Promise<readonly Domain[]>;

  /**
   * Writes the domain if its version is still the one that was read, and increments the version. Returns false and
   * changes nothing if the domain was changed or deleted meanwhile.
   */
  abstract update(domain: Domain, transaction: Transaction): Promise<boolean>;

  /** Returns false if the team has no such domain. */
  abstract delete(id: string, teamId: string, transaction: Transaction): Promise<boolean>;

  /**
   * Leases domains whose check is due, longest due first and teams in turn: moves their next check to `leaseUntil`.
   * Where the worker dies, the check is due again at that time. Concurrent callers never get the same domain.
   *
   * `held`: the domains that the caller works on already. They count as turns that their teams have had.
   */
  abstract takeDueChecks(
    now: Date,
    leaseUntil: Date,
    limit: number,
    held?: readonly string[],
  ): Promise<readonly string[]>;

  /**
   * Lets another region send for all domains of a region that want that, or with null their own again. Domains whose mail
   * then leaves from elsewhere count as moved at `now`. Resolves with their number, at most `maxMovedAtOnce`.
   */
  abstract standIn(region: string, standIn: string | null, now: Date): Promise<number>;

  /** Domains that were moved, and not settled since: those that were moved first, or the next after one. */
  abstract moved(limit: number, after?: MovedDomain): Promise<readonly MovedDomain[]>;

  /** Nothing waits in a former region of these domains, unless they were moved again. */
  abstract settled(domains: readonly MovedDomain[]): Promise<void>;

  /** The keys that sign the domain's mail now. Called for every delivered email, and cached like `findByName`. */
  abstract signingKeys(domainId: string): MaybePromise<readonly SigningKey[]>;

  /** All keys of a domain, oldest first, without their private halves. */
  abstract keys(domainId: string): Promise<readonly DkimKeyInfo[]>;

  /** Finds a key of the domain by its selector, also one that no longer signs: mail that it signed may still arrive. */
  abstract findPublicKey(domainName: string, selector: string): Promise<PublicKey | undefined>;

  abstract insertKeys(keys: readonly NewSigningKey[], transaction: Transaction): Promise<void>;

  /**
   * Writes the states of these keys. Must be called after `update` in the same transaction, because `update` orders
   * concurrent writers.
   */
  abstract updateKeyStates(keys: readonly DkimKeyInfo[], transaction: Transaction): Promise<void>;

  abstract deleteKeys(keyIds: readonly string[], transaction: Transaction): Promise<void>;

  /**
   * Seals again, with the current SECRET_KEY, all private keys that are sealed with an earlier one. Resolves with their
   * number.
   */
  abstract resealKeys(): Promise<number>;
}

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

/** Tells whether a domain's mail is in use. The emails lib implements it. */
export abstract class DomainActivity {
  abstract hasScheduledEmails(domainId: string): Promise<boolean>;

  abstract hasSentSince(teamId: string, domainId: string, since: Date): Promise<boolean>;

  /**
   * Called in the transaction that deletes the domain. Mail that is still queued cannot be sent any more, so its
   * delivery must end soon.
   */
  abstract domainDeleted(domainId: string, transaction: Transaction): Promise<void>;
}
