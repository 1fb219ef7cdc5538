import { Page, PageRequest, Transaction } from '#kernel';
import { ApiKey } from '../../domain/api-key.js';

export abstract class ApiKeyRepository {
  abstract insert(apiKey: ApiKey, transaction: Transaction): Promise<void>;

  /**
   * Called on every request: at most one indexed read, behind a cache of a few seconds. A deleted key stops working in
   * every process at once.
   */
  abstract findByTokenHash(tokenHash: Buffer): Promise<ApiKey | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<ApiKey>>;

  /** False where the team has no such key. */
  abstract rename(teamId: string, id: string, name: string): Promise<boolean>;

  /**
   * The key stops working in every process with the commit. `last`: the key is the team's last one with full access,
   * and stays.
   */
  abstract delete(teamId: string, id: string): Promise<'deleted' | 'unknown' | 'last'>;

  /** Stores when keys were last used. A time that is earlier than the stored one changes nothing. */
  abstract recordUse(lastUses: ReadonlyMap<string, Date>): Promise<void>;
}
