import { Principal, PrincipalSource, PrincipalSources } from '#identity';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CellSignatures } from './cell-signatures.js';

/** Whom another cell has authenticated before it passed the request on. */
@Injectable()
export class CellPrincipals extends PrincipalSource {
  constructor(
    private readonly signatures: CellSignatures,
    sources: PrincipalSources,
  ) {
    super();
    sources.add(this);
  }

  identify(request: FastifyRequest): Principal | undefined {
    return this.signatures.principalOf(request);
  }
}
