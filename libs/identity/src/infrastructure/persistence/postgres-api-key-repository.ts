import { Transaction } from '#kernel';
import { Broadcast, statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ApiKeyRepository } from '../../application/ports/api-key-repository.port.js';
import { ApiKey } from '../../domain/api-key.js';
import { ApiKeyRow } from './api-key.row.js';

/** Says that keys changed; the payload is the key's id. */
export const apiKeysChanged = 'api-keys';

const cacheMs = 10_000;
const cacheSize = 10_000;

interface Cached {
  readonly apiKey: ApiKey;
  readonly until: number;
}

@Injectable()
export class PostgresApiKeyRepository extends ApiKeyRepository {
  private readonly cache = new Map<string, Cached>();

  constructor(
    @InjectRepository(ApiKeyRow) private readonly rows: Repository<ApiKeyRow>,
    broadcast: Broadcast,
  ) {
    super();
    broadcast.on(apiKeysChanged, () => this.cache.clear());
  }

  async insert(apiKey: ApiKey, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: `INSERT INTO api_keys (id, team_id, name, permission, domain_id, token_hash, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      values: [
        apiKey.id,
        apiKey.teamId,
        apiKey.name,
        apiKey.permission,
        apiKey.domainId,
        apiKey.tokenHash,
        apiKey.createdAt,
      ],
    });
  }

  async findByTokenHash(tokenHash: Buffer): Promise<ApiKey | undefined> {
    const cacheKey = tokenHash.toString('latin1');
    const cached = this.cache.get(cacheKey);
    if (cached !== undefined && cached.until > performance.now()) return cached.apiKey;
    const apiKey = (await this.rows.findOneBy({ tokenHash })) ?? undefined;
    this.remember(cacheKey, apiKey);
    return apiKey;
  }

  /** Only keys that exist are remembered, so that guesses cannot fill the cache. */
  private remember(cacheKey: string, apiKey: ApiKey | undefined): void {
    if (apiKey === undefined) {
      this.cache.delete(cacheKey);
      return;
    }
    if (this.cache.size >= cacheSize) this.cache.clear();
    this.cache.set(cacheKey, { apiKey, until: performance.now() + cacheMs });
  }
}
