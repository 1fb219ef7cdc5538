import { Transaction } from '#kernel';
import { PublicKey } from '../../domain/dkim-record.js';
import { Domain, SigningKey } from '../../domain/domain.js';

export abstract class DomainRepository {
  /** Throws DomainTakenError where any team has a domain of this name: a unique constraint decides, not a look-up. */
  abstract insert(domain: Domain, keys: readonly SigningKey[], transaction: Transaction): Promise<void>;

  /** Asked for every email accepted: answers from a short cache that every change clears. */
  abstract findByName(teamId: string, name: string): Promise<Domain | undefined>;

  /** The domain of this name, whichever team has it. Cached like `findByName`. */
  abstract findOwned(name: string): Promise<Domain | undefined>;

  /** How many domains the team has. */
  abstract countOf(teamId: string): Promise<number>;

  abstract findById(id: string): Promise<Domain | undefined>;

  /** The keys that sign the domain's mail now. Asked for every email delivered: cached like `findByName`. */
  abstract signingKeys(domainId: string): Promise<readonly SigningKey[]>;

  /** A key of the domain by its selector, also one that no longer signs: mail that it signed may still arrive. */
  abstract findPublicKey(domainName: string, selector: string): Promise<PublicKey | undefined>;
}
