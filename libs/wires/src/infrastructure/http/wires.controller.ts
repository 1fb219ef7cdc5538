import { Undocumented } from '#http/openapi';
import { idFromPath, leaveUnlogged } from '#http/server';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Config } from '#platform/config';
import { SecretBox } from '#platform/secrets';
import { Controller, Get, Query, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Wires } from './wire.js';

interface ShownWire {
  readonly wire: string;
  /** Base addresses, that with a host of its own first. */
  readonly base_urls: readonly string[];
  readonly user: string | null;
  readonly secret: string;
  /** Of a wire whose clients sign their requests: the id of an API key, and what is derived from it. */
  readonly access_key_id?: string;
  readonly secret_access_key?: string;
  readonly webhook_signing_key?: string;
}

/** What clients of other providers are set to. */
@Controller('wires')
@UseGuards(PrincipalGuard)
@Undocumented()
export class WiresController {
  constructor(
    private readonly wires: Wires,
    private readonly config: Config,
    private readonly secrets: SecretBox,
  ) {}

  @Get()
  @Requires('api-keys:write')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Query('api_key_id') apiKeyId?: unknown,
  ): Promise<{ readonly object: 'list'; readonly data: readonly ShownWire[] }> {
    // It may have a secret.
    leaveUnlogged(request);
    const { publicUrl, wireHosts } = this.config.values;
    const own = publicUrl ?? `${request.protocol}://${request.host}`;
    const keyId = apiKeyOf(principal, apiKeyId);
    const data = this.wires.all.map(async ({ name, user, secret, webhookSigningKey }): Promise<ShownWire> => {
      const credentials = this.wires.credentials.get(name);
      return {
        wire: name,
        base_urls: [
          ...wireHosts.filter(({ wire }) => wire === name).map(({ host }) => `${new URL(own).protocol}//${host}`),
          `${own}/${name}`,
        ],
        user,
        secret,
        ...(webhookSigningKey && { webhook_signing_key: webhookSigningKey(this.secrets, principal.teamId) }),
        ...(credentials === undefined || keyId === undefined
          ? {}
          : { access_key_id: keyId, secret_access_key: await credentials.secretOf(principal, keyId) }),
      };
    });
    return { object: 'list', data: await Promise.all(data) };
  }
}

/** The key that asks, or another one of the team. */
function apiKeyOf({ actor }: Principal, given: unknown): string | undefined {
  if (typeof given === 'string') return idFromPath('api_key_id', given);
  return actor.kind === 'api_key' ? actor.id : undefined;
}
