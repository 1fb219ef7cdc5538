import { Clock, plainAddress } from '#kernel';
import { Injectable } from '@nestjs/common';
import { InvalidApiKeyError } from '../domain/identity-errors.js';
import { ApiKey } from '../domain/api-key.js';
import { AddressNotAllowedError } from '../domain/key-policies.js';
import { Networks } from '../domain/networks.js';
import { Principal } from '../domain/principal.js';
import { ApiKeyUse } from './api-key-use.js';
import { ApiKeyRepository } from './ports/teams-and-api-keys.port.js';
import { hashApiKeyToken } from './api-keys.use-case.js';

const maxTokenLength = 200;

/**
 * Turns the token of an API key into a principal, for HTTP and SMTP. Throws InvalidApiKeyError if no key has this
 * token, and AddressNotAllowedError if the key is not accepted from the address of the client.
 */
@Injectable()
export class AuthenticateApiKey {
  /** By the list of a key, which the cache of keys keeps. */
  private readonly networks = new WeakMap<readonly string[], Networks>();

  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly use: ApiKeyUse,
    private readonly clock: Clock,
  ) {}

  /** @param clientAddress as the connection has it, or a proxy that is trusted */
  async authenticate(token: string, clientAddress: string): Promise<Principal> {
    return this.accept(await this.keyOf(token), clientAddress);
  }

  /** For a request that the key has signed: its signature must have been verified. */
  async authenticateSigned(apiKeyId: string, clientAddress: string): Promise<Principal> {
    const apiKey = await this.apiKeys.findById(apiKeyId);
    if (apiKey === undefined) throw new InvalidApiKeyError();
    return this.accept(apiKey, clientAddress);
  }

  /** Whose token it is, wherever it comes from: to record what was refused, and for nothing else. */
  async holderOf(token: string): Promise<Principal> {
    return this.holder(await this.keyOf(token));
  }

  private async accept(apiKey: ApiKey, clientAddress: string): Promise<Principal> {
    const address = plainAddress(clientAddress);
    if (!this.isAllowed(apiKey, address)) throw new AddressNotAllowedError(address);
    const principal = await this.holder(apiKey);
    this.use.note(apiKey.id, this.clock.now());
    return principal;
  }

  private async keyOf(token: string): Promise<ApiKey> {
    if (!token.startsWith('re_') || token.length > maxTokenLength) throw new InvalidApiKeyError();
    const apiKey = await this.apiKeys.findByTokenHash(hashApiKeyToken(token));
    if (apiKey === undefined) throw new InvalidApiKeyError();
    return apiKey;
  }

  private async holder(apiKey: ApiKey): Promise<Principal> {
    const grant = apiKey.grantId === null ? undefined : await this.apiKeys.findGrant(apiKey.grantId);
    if (apiKey.grantId !== null && grant === undefined) throw new InvalidApiKeyError();
    return Principal.ofApiKey({ ...apiKey, grant });
  }

  private isAllowed({ allowedIps }: ApiKey, address: string): boolean {
    if (allowedIps === null) return true;
    const networks = this.networks.get(allowedIps) ?? new Networks(allowedIps);
    this.networks.set(allowedIps, networks);
    return networks.contain(address);
  }
}
