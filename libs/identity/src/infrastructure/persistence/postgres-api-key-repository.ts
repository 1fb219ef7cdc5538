import { Transaction } from '#kernel';
import { ShortCache } from '#platform/caching';
import { Broadcast, statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ApiKeyRepository } from '../../application/ports/api-key-repository.port.js';
import { ApiKey } from '../../domain/api-key.js';
import { ApiKeyRow } from './api-key.row.js';

/** Says that keys changed; the payload is the key's id. */
export const apiKeysChanged = 'api-keys';

@Injectable()
export class PostgresApiKeyRepository extends ApiKeyRepository {
  private readonly cache = new ShortCache<ApiKey>({ ttlMs: 10_000, maximumSize: 10_000 });

  constructor(
    @InjectRepository(ApiKeyRow) private readonly rows: Repository<ApiKeyRow>,
    broadcast: Broadcast,
  ) {
    super();
    broadcast.on(apiKeysChanged, () => this.cache.forget());
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
    return this.cache.get(
      tokenHash.toString('latin1'),
      async () => (await this.rows.findOneBy({ tokenHash })) ?? undefined,
    );
  }
}
