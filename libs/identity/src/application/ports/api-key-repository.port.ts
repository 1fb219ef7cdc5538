import { Transaction } from '#kernel';
import { ApiKey } from '../../domain/api-key.js';

export abstract class ApiKeyRepository {
  abstract insert(apiKey: ApiKey, transaction: Transaction): Promise<void>;

  /**
   * Asked on every request: at most one indexed read, and a short cache in front of it. A key that is deleted stops
   * working in every process at once.
   */
  abstract findByTokenHash(tokenHash: Buffer): Promise<ApiKey | undefined>;
}
