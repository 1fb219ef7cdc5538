import { NotFoundError, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ApiKey, checkKeyName } from '../domain/api-key.js';
import { LastFullAccessKeyError } from '../domain/identity-errors.js';
import { ApiKeyUse } from './api-key-use.js';
import { ApiKeyRepository } from './ports/api-key-repository.port.js';

/** Lists, renames and deletes the keys of a team. */
@Injectable()
export class ManageApiKeys {
  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly use: ApiKeyUse,
  ) {}

  async list(teamId: string, page: PageRequest): Promise<Page<ApiKey>> {
    const { items, hasMore } = await this.apiKeys.list(teamId, page);
    return { items: items.map((key) => ({ ...key, lastUsedAt: this.use.lastUse(key.id) ?? key.lastUsedAt })), hasMore };
  }

  async rename(teamId: string, id: string, name: string): Promise<void> {
    checkKeyName(name);
    if (!(await this.apiKeys.rename(teamId, id, name))) throw new NotFoundError('API key');
  }

  /**
   * A key may delete itself. The last key with full access cannot be deleted: without it nobody could configure the
   * service through the API, only through its database. To revoke it, create another one first.
   */
  async delete(teamId: string, id: string): Promise<void> {
    switch (await this.apiKeys.delete(teamId, id)) {
      case 'deleted':
        return;
      case 'unknown':
        throw new NotFoundError('API key');
      case 'last':
        throw new LastFullAccessKeyError();
    }
  }
}
