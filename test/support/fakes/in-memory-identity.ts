import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from './in-memory-unit-of-work.js';
import { ApiKeyUse } from '../../../libs/identity/src/application/api-key-use.js';
import { ApiKey } from '../../../libs/identity/src/domain/api-key.js';
import { noPolicies } from '../../../libs/identity/src/domain/key-policies.js';
import { hashApiKeyToken } from '../../../libs/identity/src/application/api-keys.use-case.js';
import { InMemoryApiKeyRepository } from './in-memory-api-key-repository.js';
import { InMemoryTeamRepository } from './in-memory-team-repository.js';
import { FakeClock } from './fake-clock.js';

/** All dependencies of the use cases of identity, in memory. */
export class InMemoryIdentity {
  readonly teamId = newId();
  readonly principal = Principal.ofUser({ id: newId(), teamId: this.teamId, role: 'owner' });
  readonly clock = new FakeClock();
  readonly unitOfWork = new InMemoryUnitOfWork();
  readonly apiKeys = new InMemoryApiKeyRepository();
  readonly teams = new InMemoryTeamRepository();
  readonly use = new ApiKeyUse();

  /** Stores a key of the team with this token. */
  async add(token: string, fields: Partial<ApiKey> = {}): Promise<ApiKey> {
    const key = anApiKey({ teamId: this.teamId, tokenHash: hashApiKeyToken(token), ...fields });
    await this.unitOfWork.run((transaction) => this.apiKeys.insert(key, transaction));
    return key;
  }
}

export function anApiKey(fields: Partial<ApiKey> & Pick<ApiKey, 'teamId'>): ApiKey {
  const id = newId();
  return {
    id,
    name: 'Key',
    permission: 'full_access',
    domainId: null,
    grantId: null,
    tokenHash: hashApiKeyToken(id),
    createdAt: new Date(),
    lastUsedAt: null,
    ...noPolicies,
    ...fields,
  };
}
