import { Page, PageRequest, Transaction } from '#kernel';
import { PublicKey } from '../../domain/dkim-record.js';
import { DkimKeyInfo, Domain, NewSigningKey, SigningKey } from '../../domain/domain.js';

export abstract class DomainRepository {
  /** Throws DomainTakenError where any team has a domain of this name: a unique constraint decides, not a look-up. */
  abstract insert(domain: Domain, keys: readonly NewSigningKey[], transaction: Transaction): Promise<void>;

  /** Asked for every email accepted: answers from a short cache that every change clears. */
  abstract findByName(teamId: string, name: string): Promise<Domain | undefined>;

  /** The domain of this name, whichever team has it. Cached like `findByName`. */
  abstract findOwned(name: string): Promise<Domain | undefined>;

  /** How many domains the team has. */
  abstract countOf(teamId: string): Promise<number>;

  abstract findById(id: string): Promise<Domain | undefined>;

  /** As it is stored now, never from a cache: what a change is based on. Without a team, whichever has it. */
  abstract read(id: string, teamId?: string): Promise<Domain | undefined>;

  /** Newest first; without a page, all of them (at most 10,000). */
  abstract list(teamId: string, page?: PageRequest): Promise<Page<Domain>>;

  /** Domains of all teams in order of their ids, those after `after`. */
  abstract listAll(after: string | undefined, limit: number): Promise<readonly Domain[]>;

  /**
   * Writes what may change of a domain where it still has the version it was read with, which then grows by one.
   * Responses false, and changes nothing, where it was changed or deleted meanwhile.
   */
  abstract update(domain: Domain, transaction: Transaction): Promise<boolean>;

  /** False where the team has no such domain. */
  abstract delete(id: string, teamId: string, transaction: Transaction): Promise<boolean>;

  /**
   * Takes domains whose check is due, longest due first, and puts their next check off to `leaseUntil`: who takes one
   * and dies leaves it due again then. Two callers never get the same domain.
   */
  abstract takeDueChecks(now: Date, leaseUntil: Date, limit: number): Promise<readonly string[]>;

  /** The keys that sign the domain's mail now. Asked for every email delivered: cached like `findByName`. */
  abstract signingKeys(domainId: string): Promise<readonly SigningKey[]>;

  /** All keys of a domain, oldest first, without their private halves. */
  abstract keys(domainId: string): Promise<readonly DkimKeyInfo[]>;

  /** A key of the domain by its selector, also one that no longer signs: mail that it signed may still arrive. */
  abstract findPublicKey(domainName: string, selector: string): Promise<PublicKey | undefined>;

  abstract insertKeys(keys: readonly NewSigningKey[], transaction: Transaction): Promise<void>;

  /** Writes the states of these keys. To be called after `update` in the same transaction, which orders the writers. */
  abstract updateKeyStates(keys: readonly DkimKeyInfo[], transaction: Transaction): Promise<void>;

  abstract deleteKeys(keyIds: readonly string[], transaction: Transaction): Promise<void>;

  /** Seals private keys anew that an earlier SECRET_KEY has sealed. Resolves with their number. */
  abstract resealKeys(): Promise<number>;
}
