import { Clock, plainAddress, whenKnown } from '#kernel';
import type { MaybePromise } from '#kernel';
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
  /** Those of keys that no tool has made, by the keys that the cache keeps. */
  private readonly principals = new WeakMap<ApiKey, Principal>();

  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly use: ApiKeyUse,
    private readonly clock: Clock,
  ) {}

  /** @param clientAddress as the connection has it, or a proxy that is trusted */
  authenticate(token: string, clientAddress: string): MaybePromise<Principal> {
    return whenKnown(this.keyOf(token), (apiKey) => this.accept(apiKey, clientAddress));
  }

  /** For a request that the key has signed: its signature must have been verified. */
  authenticateSigned(apiKeyId: string, clientAddress: string): MaybePromise<Principal> {
    return whenKnown(this.apiKeys.findById(apiKeyId), (apiKey) => this.accept(known(apiKey), clientAddress));
  }

  /** Whose token it is, wherever it comes from: to record what was refused, and for nothing else. */
  async holderOf(token: string): Promise<Principal> {
    return this.holder(await this.keyOf(token));
  }

  private accept(apiKey: ApiKey, clientAddress: string): MaybePromise<Principal> {
    const address = plainAddress(clientAddress);
    if (!this.isAllowed(apiKey, address)) throw new AddressNotAllowedError(address);
    return whenKnown(this.holder(apiKey), (principal) => {
      this.use.note(apiKey.id, this.clock.now());
      return principal;
    });
  }

  private keyOf(token: string): MaybePromise<ApiKey> {
    if (!token.startsWith('re_') || token.length > maxTokenLength) throw new InvalidApiKeyError();
    return whenKnown(this.apiKeys.findByTokenHash(hashApiKeyToken(token)), known);
  }

  private holder(apiKey: ApiKey): MaybePromise<Principal> {
    if (apiKey.grantId === null) {
      const principal = this.principals.get(apiKey) ?? Principal.ofApiKey(apiKey);
      this.principals.set(apiKey, principal);
      return principal;
    }
    return this.apiKeys.findGrant(apiKey.grantId).then((grant) => {
      if (grant === undefined) throw new InvalidApiKeyError();
      return Principal.ofApiKey({ ...apiKey, grant });
    });
  }

  private isAllowed({ allowedIps }: ApiKey, address: string): boolean {
    if (allowedIps === null) return true;
    const networks = this.networks.get(allowedIps) ?? new Networks(allowedIps);
    this.networks.set(allowedIps, networks);
    return networks.contain(address);
  }
}

function known(apiKey: ApiKey | undefined): ApiKey {
  if (apiKey === undefined) throw new InvalidApiKeyError();
  return apiKey;
}
