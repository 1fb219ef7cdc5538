import { Page, PageRequest, Transaction } from '#kernel';
import { ApiKey } from '../../domain/api-key.js';

export abstract class ApiKeyRepository {
  abstract insert(apiKey: ApiKey, transaction: Transaction): Promise<void>;

  /**
   * Asked on every request: at most one indexed read, and a short cache in front of it. A key that is deleted stops
   * working in every process at once.
   */
  abstract findByTokenHash(tokenHash: Buffer): Promise<ApiKey | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<ApiKey>>;

  /** False where the team has no such key. */
  abstract rename(teamId: string, id: string, name: string): Promise<boolean>;

  /** The key stops working everywhere with the commit. A team never loses its last key with full access this way. */
  abstract delete(teamId: string, id: string): Promise<'deleted' | 'unknown' | 'last'>;

  /** Remembers when keys were last used; an earlier moment than the one known changes nothing. */
  abstract recordUse(lastUses: ReadonlyMap<string, Date>): Promise<void>;
}
