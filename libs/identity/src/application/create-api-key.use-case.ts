import { Clock, newId, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { checkKeyName } from '../domain/api-key.js';
import { ApiKeyAccess } from '../domain/permission.js';
import { DomainOfFullAccessKeyError, UnknownKeyDomainError } from '../domain/identity-errors.js';
import { ApiKeyRepository } from './ports/api-key-repository.port.js';
import { ApiKeyTokens } from './ports/api-key-tokens.port.js';
import { DomainOwnership } from './ports/domain-ownership.port.js';

export interface NewApiKey {
  readonly name: string;
  readonly permission: ApiKeyAccess;
  /** Restricts a sending key to one domain of the team. */
  readonly domainId?: string;
}

@Injectable()
export class CreateApiKey {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly apiKeys: ApiKeyRepository,
    private readonly tokens: ApiKeyTokens,
    private readonly domains: DomainOwnership,
    private readonly clock: Clock,
  ) {}

  /** Returns the token in clear. It is stored only as a hash and cannot be shown again. */
  async execute(teamId: string, request: NewApiKey): Promise<{ readonly id: string; readonly token: string }> {
    const { name, permission, domainId } = request;
    checkKeyName(name);
    if (domainId !== undefined && permission !== 'sending_access') throw new DomainOfFullAccessKeyError();
    if (domainId !== undefined && !(await this.domains.isOwnedBy(teamId, domainId))) throw new UnknownKeyDomainError();

    const createdAt = this.clock.now();
    const token = this.tokens.generate();
    const tokenHash = this.tokens.hash(token);
    const id = newId(createdAt.getTime());
    await this.unitOfWork.run((transaction) =>
      this.apiKeys.insert(
        { id, teamId, name, permission, domainId: domainId ?? null, tokenHash, createdAt, lastUsedAt: null },
        transaction,
      ),
    );
    return { id, token };
  }
}
