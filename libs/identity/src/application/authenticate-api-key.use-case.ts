import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Caller } from '../domain/caller.js';
import { InvalidApiKeyError } from '../domain/identity-errors.js';
import { ApiKeyUse } from './api-key-use.js';
import { ApiKeyRepository } from './ports/api-key-repository.port.js';
import { ApiKeyTokens } from './ports/api-key-tokens.port.js';

const longestToken = 200;

/** Tells who holds an API key. The same for HTTP and SMTP. */
@Injectable()
export class AuthenticateApiKey {
  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly tokens: ApiKeyTokens,
    private readonly use: ApiKeyUse,
    private readonly clock: Clock,
  ) {}

  async execute(token: string): Promise<Caller> {
    if (!token.startsWith('re_') || token.length > longestToken) throw new InvalidApiKeyError();
    const apiKey = await this.apiKeys.findByTokenHash(this.tokens.hash(token));
    if (apiKey === undefined) throw new InvalidApiKeyError();
    this.use.note(apiKey.id, this.clock.now());
    return {
      teamId: apiKey.teamId,
      apiKeyId: apiKey.id,
      permission: apiKey.permission,
      domainId: apiKey.domainId,
    };
  }
}
