import { Transaction } from '#kernel';
import { Domain, SigningKey } from '../../domain/domain.js';

export abstract class DomainRepository {
  /** Throws DomainTakenError where any team has a domain of this name: a unique constraint decides, not a look-up. */
  abstract insert(domain: Domain, keys: readonly SigningKey[], transaction: Transaction): Promise<void>;

  /** Asked for every email accepted: answers from a short cache that every change clears. */
  abstract findByName(teamId: string, name: string): Promise<Domain | undefined>;

  abstract findById(id: string): Promise<Domain | undefined>;

  /** The keys that sign the domain's mail now. Asked for every email delivered: cached like `findByName`. */
  abstract signingKeys(domainId: string): Promise<readonly SigningKey[]>;
}
