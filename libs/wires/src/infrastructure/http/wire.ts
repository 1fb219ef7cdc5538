import type { Principal } from '#identity';
import type { ErrorShape } from '#http/server';
import type { WireName } from '#platform/config';
import type { SecretBox } from '#platform/secrets';
import type { FastifyRequest } from 'fastify';

/** The API of another provider, on the use cases of this program. Everything of it is under `/` and its name. */
export interface Wire {
  readonly name: WireName;
  readonly shape: ErrorShape;
  /** The API key that the request has in the place of the provider's own. Undefined: it has none. */
  tokenOf(request: FastifyRequest): string | undefined;
  /** What a client takes as user and as secret, in words. */
  readonly user: string | null;
  readonly secret: string;
  /** The key that signs the calls of a team's webhooks, where a client has to know it. */
  readonly webhookSigningKey?: (secrets: SecretBox, teamId: string) => string;
}

/** How a wire authenticates whose requests do not have the key itself. */
export interface WireCredentials {
  authenticate(request: FastifyRequest): Promise<Principal>;
  /** Who is charged for a body that is needed to authenticate. Undefined: it is not needed. */
  payerOf(request: FastifyRequest): Promise<string | undefined>;
  /** The secret that a client uses in place of the key. Throws if the team has no such key. */
  secretOf(principal: Principal, apiKeyId: string): Promise<string>;
}

/** The wires that are on. */
export class Wires {
  constructor(
    readonly all: readonly Wire[],
    /** By the name of the wire. */
    readonly credentials: ReadonlyMap<string, WireCredentials>,
  ) {}

  of(url: string): Wire | undefined {
    const [, first] = /^\/([a-z]{1,20})(?:[/?]|$)/.exec(url) ?? [];
    return this.all.find(({ name }) => name === first);
  }
}

/** The password of `Authorization: Basic`, whatever the user is. */
export function basicPassword(header: string | undefined): string | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/_=-]{1,1000}) *$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? undefined : pair.slice(colon + 1);
}

export function bearerKey(header: string | undefined): string | undefined {
  return /^Bearer +(\S{1,1000}) *$/i.exec(header ?? '')?.[1];
}
