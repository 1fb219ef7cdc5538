import { Undocumented } from '#http/openapi';
import { leaveUnlogged } from '#http/server';
import { PrincipalGuard, Requires } from '#identity';
import { Config } from '#platform/config';
import { Controller, Get, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Wires } from './wire.js';

interface ShownWire {
  readonly wire: string;
  /** Base addresses, that with a host of its own first. */
  readonly base_urls: readonly string[];
  readonly user: string | null;
  readonly secret: string;
}

/** What clients of other providers are set to. */
@Controller('wires')
@UseGuards(PrincipalGuard)
@Undocumented()
export class WiresController {
  constructor(
    private readonly wires: Wires,
    private readonly config: Config,
  ) {}

  @Get()
  @Requires('api-keys:write')
  list(@Req() request: FastifyRequest): { readonly object: 'list'; readonly data: readonly ShownWire[] } {
    // It may have a secret.
    leaveUnlogged(request);
    const { publicUrl, wireHosts } = this.config.values;
    const own = publicUrl ?? `${request.protocol}://${request.host}`;
    const data = this.wires.all.map(({ name, user, secret }) => ({
      wire: name,
      base_urls: [
        ...wireHosts.filter(({ wire }) => wire === name).map(({ host }) => `${new URL(own).protocol}//${host}`),
        `${own}/${name}`,
      ],
      user,
      secret,
    }));
    return { object: 'list', data };
  }
}
