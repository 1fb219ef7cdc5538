import { hash, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, found, newId, NotFoundError, Page, PageRequest, UnitOfWork } from '#kernel';
import { ApiKey, ApiKeyChanges, checkKeyName } from '../domain/api-key.js';
import {
  DomainOfFullAccessKeyError,
  LastFullAccessKeyError,
  UnknownKeyDomainError,
} from '../domain/identity-errors.js';
import { checkPolicies, KeyPolicies, noPolicies } from '../domain/key-policies.js';
import { ApiKeyAccess, permissionsOfKey } from '../domain/permission.js';
import type { Principal } from '../domain/principal.js';
import { ApiKeyUse } from './api-key-use.js';
import { ApiKeyRepository, DomainOwnership } from './ports/teams-and-api-keys.port.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `re_` + 8 + `_` + 24 letters and digits, about 190 random bits (docs/wire-contract.md section 1.4). */
export function newApiKeyToken(): string {
  return `re_${characters(8)}_${characters(24)}`;
}

/**
 * SHA-256, under which a key is stored and found. A plain hash suffices, because a token has too much random data to be
 * guessed.
 */
export function hashApiKeyToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

function characters(count: number): string {
  return Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');
}

export interface NewApiKey {
  readonly name: string;
  readonly permission: ApiKeyAccess;
  /** Restricts a sending key to one domain of the team. */
  readonly domainId?: string;
  readonly policies?: Partial<KeyPolicies>;
}

/** The API keys of a team. */
@Injectable()
export class ApiKeys {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly apiKeys: ApiKeyRepository,
    private readonly use: ApiKeyUse,
    private readonly domains: DomainOwnership,
    private readonly clock: Clock,
  ) {}

  /** Returns the token in clear. It is stored only as a hash and cannot be shown again. */
  async create(principal: Principal, request: NewApiKey): Promise<{ readonly id: string; readonly token: string }> {
    const { name, permission, domainId, policies = {} } = request;
    const { teamId, tool } = principal;
    checkKeyName(name);
    principal.requireToPassOn(permissionsOfKey(permission, policies.onlyDrafts === true));
    checkPolicies(permission, policies);
    if (domainId !== undefined && permission !== 'sending_access') throw new DomainOfFullAccessKeyError();
    if (domainId !== undefined && !(await this.domains.isOwnedBy(teamId, domainId))) throw new UnknownKeyDomainError();

    const createdAt = this.clock.now();
    const token = newApiKeyToken();
    const key: ApiKey = {
      id: newId(createdAt.getTime()),
      teamId,
      name,
      permission,
      domainId: domainId ?? null,
      grantId: tool?.grantId ?? null,
      tokenHash: hashApiKeyToken(token),
      createdAt,
      lastUsedAt: null,
      ...noPolicies,
      ...policies,
    };
    await this.unitOfWork.run((transaction) => this.apiKeys.insert(key, transaction));
    return { id: key.id, token };
  }

  async list(teamId: string, page: PageRequest): Promise<Page<ApiKey>> {
    const { items, hasMore } = await this.apiKeys.list(teamId, page);
    return { items: items.map((key) => ({ ...key, lastUsedAt: this.use.lastUse(key.id) ?? key.lastUsedAt })), hasMore };
  }

  /** Absent fields stay as they are. A tool needs the permissions of the key whose policies it changes. */
  async change(principal: Principal, id: string, changes: ApiKeyChanges): Promise<void> {
    const { name, ...policies } = changes;
    if (name !== undefined) checkKeyName(name);
    const { permission, onlyDrafts } = found('API key', await this.apiKeys.find(principal.teamId, id));
    if (Object.keys(policies).length > 0) {
      principal.requireToPassOn(permissionsOfKey(permission, policies.onlyDrafts ?? onlyDrafts));
    }
    checkPolicies(permission, policies);
    switch (await this.apiKeys.change(principal.teamId, id, changes)) {
      case 'changed':
        return;
      case 'unknown':
        throw new NotFoundError('API key');
      case 'last':
        throw new LastFullAccessKeyError('get the rule `only_drafts`');
    }
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
        throw new LastFullAccessKeyError('be deleted');
    }
  }
}
