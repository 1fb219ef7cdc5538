import {
  ClaimResult,
  ConcurrentIdempotentRequestsError,
  IdempotencyClaim,
  IdempotencyKeys,
  replay,
} from '#idempotency';
import { Transaction } from '#kernel';
import { ItemResult } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { Acceptance } from '../../application/ports/email-acceptance.port.js';

const accepted: ItemResult<Acceptance> = { value: { kind: 'accepted' } };

/** Decides which requests of a group are first ones. Asks the database only where the group has keys. */
@Injectable()
export class AcceptanceClaims {
  constructor(private readonly keys: IdempotencyKeys) {}

  /** One result per request, in order. An error is that of one request, not of the group. */
  async settle(
    requests: readonly { readonly claim: IdempotencyClaim | undefined }[],
    transaction: Transaction,
  ): Promise<readonly ItemResult<Acceptance>[]> {
    const claims = requests.flatMap(({ claim }) => claim ?? []);
    if (claims.length === 0) return requests.map(() => accepted);
    const results = [...(await this.keys.claim(claims, transaction))];
    return requests.map(({ claim }) =>
      claim === undefined ? accepted : resultOf(claim, results.shift() as ClaimResult),
    );
  }
}

function resultOf(claim: IdempotencyClaim, result: ClaimResult): ItemResult<Acceptance> {
  switch (result.kind) {
    case 'claimed':
      return accepted;
    case 'in progress':
      return { error: new ConcurrentIdempotentRequestsError() };
    case 'known':
      try {
        return { value: { kind: 'repeated', answer: replay(claim.request, result) } };
      } catch (error) {
        return { error };
      }
  }
}
