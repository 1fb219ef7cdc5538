import { ErrorShapes } from '#http/server';
import { AuthenticateApiKey, InvalidApiKeyError, Principal, PrincipalSource, PrincipalSources } from '#identity';
import type { MaybePromise } from '#kernel';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Wires } from './wire.js';

/**
 * Accepts our API keys where other providers have their own. From there on the request is like any other one: its key has
 * the same permissions, the same domain and the same limits.
 */
@Injectable()
export class WirePrincipals extends PrincipalSource {
  constructor(
    sources: PrincipalSources,
    shapes: ErrorShapes,
    private readonly apiKeys: AuthenticateApiKey,
    private readonly wires: Wires,
  ) {
    super();
    sources.add(this);
    for (const { name, shape } of wires.all) shapes.add(`/${name}`, shape);
  }

  identify(request: FastifyRequest): MaybePromise<Principal> | undefined {
    const wire = this.wires.of(request.url);
    if (wire === undefined) return undefined;
    const credentials = this.wires.credentials.get(wire.name);
    if (credentials !== undefined) return credentials.authenticate(request);
    const token = wire.tokenOf(request);
    if (token === undefined) throw new InvalidApiKeyError();
    return this.apiKeys.authenticate(token, request.ip);
  }

  override async payerOf(request: FastifyRequest): Promise<string | undefined> {
    const wire = this.wires.of(request.url);
    return wire && this.wires.credentials.get(wire.name)?.payerOf(request);
  }
}
