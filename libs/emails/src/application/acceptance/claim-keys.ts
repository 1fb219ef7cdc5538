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

/** The result of one request of a group. An error concerns this request only. */
export type Settled = { readonly value: Acceptance } | { readonly error: unknown };

const accepted: Settled = { value: { kind: 'accepted' } };

/**
 * Step of acceptance: finds out which requests are the first with their key. Reads the database only where a request
 * has a key.
 */
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
   * Returns the first response where the refused request is a repetition. What was accepted then may be refused now,
   * for example because its scheduled time has passed. Throws the refusal where the request is no repetition.
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
