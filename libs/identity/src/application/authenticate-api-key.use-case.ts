import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { InvalidApiKeyError } from '../domain/identity-errors.js';
import { ApiKey } from '../domain/api-key.js';
import { Principal } from '../domain/principal.js';
import { ApiKeyUse } from './api-key-use.js';
import { ApiKeyRepository } from './ports/teams-and-api-keys.port.js';
import { hashApiKeyToken } from './api-keys.use-case.js';

const maxTokenLength = 200;

/**
 * Turns the token of an API key into a principal, for HTTP and SMTP. Throws InvalidApiKeyError if no key has this
 * token.
 */
@Injectable()
export class AuthenticateApiKey {
  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly use: ApiKeyUse,
    private readonly clock: Clock,
  ) {}

  async authenticate(token: string): Promise<Principal> {
    if (!token.startsWith('re_') || token.length > maxTokenLength) throw new InvalidApiKeyError();
    return this.principalOf(await this.apiKeys.findByTokenHash(hashApiKeyToken(token)));
  }

  /** For a request that the key has signed: its signature must have been verified. */
  async authenticateSigned(apiKeyId: string): Promise<Principal> {
    return this.principalOf(await this.apiKeys.findById(apiKeyId));
  }

  private async principalOf(apiKey: ApiKey | undefined): Promise<Principal> {
    if (apiKey === undefined) throw new InvalidApiKeyError();
    const grant = apiKey.grantId === null ? undefined : await this.apiKeys.findGrant(apiKey.grantId);
    if (apiKey.grantId !== null && grant === undefined) throw new InvalidApiKeyError();
    this.use.note(apiKey.id, this.clock.now());
    return Principal.ofApiKey({ ...apiKey, grant });
  }
}
