import type { MaybePromise } from '#kernel';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../domain/principal.js';

/** Another way to authenticate a request than an API key: the session of a user, or an access token of a tool. */
export abstract class PrincipalSource {
  /**
   * Returns undefined, at once, if the request does not carry this kind of credential. Throws a DomainError if it carries one
   * that is not valid, or that may not be used for this request.
   */
  abstract identify(request: FastifyRequest): MaybePromise<Principal> | undefined;

  /**
   * Who is charged for a large body that has to be read before its credential can be checked. Undefined: the credential is
   * checked first, as it is nearly everywhere.
   */
  async payerOf(_request: FastifyRequest): Promise<string | undefined> {
    return undefined;
  }
}

/** The sources that other features add. They are asked in the order in which they were added. */
@Injectable()
export class PrincipalSources {
  private readonly sources: PrincipalSource[] = [];

  add(source: PrincipalSource): void {
    this.sources.push(source);
  }

  identify(request: FastifyRequest): MaybePromise<Principal> | undefined {
    for (const source of this.sources) {
      const principal = source.identify(request);
      if (principal !== undefined) return principal;
    }
    return undefined;
  }

  async payerOf(request: FastifyRequest): Promise<string | undefined> {
    for (const source of this.sources) {
      const payer = await source.payerOf(request);
      if (payer !== undefined) return payer;
    }
    return undefined;
  }
}
