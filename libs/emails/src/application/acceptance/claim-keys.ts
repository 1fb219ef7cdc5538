import {
  ClaimResult,
  ConcurrentIdempotentRequestsError,
  IdempotencyClaim,
  IdempotencyKeys,
  IdempotentRequest,
  replay,
} from '#idempotency';
import { DomainError, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Acceptance } from '../ports/email-acceptance.port.js';

/** What became of one request of a group. An error is that of this request alone. */
export type Settled = { readonly value: Acceptance } | { readonly error: unknown };

const accepted: Settled = { value: { kind: 'accepted' } };

/** Step of acceptance: finds out which requests are first ones. Asks the database only where a request has a key. */
@Injectable()
export class ClaimKeys {
  constructor(private readonly keys: IdempotencyKeys) {}

  /** One result per request, in order. Claimed keys are stored with the commit of the transaction. */
  async claim(
    requests: readonly { readonly claim: IdempotencyClaim | undefined }[],
    transaction: Transaction,
  ): Promise<readonly Settled[]> {
    const claims = requests.flatMap(({ claim }) => claim ?? []);
    if (claims.length === 0) return requests.map(() => accepted);
    const results = [...(await this.keys.claim(claims, transaction))];
    return requests.map(({ claim }) =>
      claim === undefined ? accepted : settled(claim, results.shift() as ClaimResult),
    );
  }

  /**
   * The response to the first request, where this refused one repeats it: what was accepted then may have to be refused by
   * now, for example because the time that it is scheduled for has passed. Throws the refusal where it repeats nothing.
   */
  async responseInsteadOf(refusal: unknown, request: IdempotentRequest | undefined, now: Date): Promise<unknown> {
    if (request === undefined || !(refusal instanceof DomainError)) throw refusal;
    const known = await this.keys.find(request, now);
    if (known === undefined) throw refusal;
    return replay(request, known);
  }
}

function settled(claim: IdempotencyClaim, result: ClaimResult): Settled {
  switch (result.kind) {
    case 'claimed':
      return accepted;
    case 'in progress':
      return { error: new ConcurrentIdempotentRequestsError() };
    case 'known':
      try {
        return { value: { kind: 'repeated', response: replay(claim.request, result) } };
      } catch (error) {
        return { error };
      }
  }
}
