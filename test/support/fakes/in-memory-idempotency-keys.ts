import { Transaction } from '#kernel';
import { inMemory } from './in-memory-unit-of-work.js';
import { IdempotencyKeys } from '../../../libs/idempotency/src/application/ports/idempotency-keys.port.js';
import {
  ClaimResult,
  IdempotencyClaim,
  IdempotentRequest,
  keyLifeMs,
  KnownRequest,
} from '../../../libs/idempotency/src/domain/idempotency.js';

interface Entry {
  readonly claim: IdempotencyClaim;
  readonly expiresAt: Date;
  isCommitted: boolean;
}

/** Keeps the keys in memory, for tests. */
export class InMemoryIdempotencyKeys extends IdempotencyKeys {
  private readonly entries = new Map<string, Entry>();

  async find(request: IdempotentRequest, now: Date): Promise<KnownRequest | undefined> {
    const entry = this.entries.get(nameOf(request));
    return entry?.isCommitted === true && entry.expiresAt > now ? known(entry) : undefined;
  }

  async claim(claims: readonly IdempotencyClaim[], transaction: Transaction): Promise<readonly ClaimResult[]> {
    return claims.map((claim) => this.claimOne(claim, transaction));
  }

  async removeExpired(now: Date, limit: number): Promise<number> {
    const expired = [...this.entries].filter(([, { expiresAt }]) => expiresAt <= now).slice(0, limit);
    for (const [name] of expired) this.entries.delete(name);
    return expired.length;
  }

  private claimOne(claim: IdempotencyClaim, transaction: Transaction): ClaimResult {
    const name = nameOf(claim.request);
    const before = this.entries.get(name);
    if (before?.isCommitted === false) return { kind: 'in progress' };
    if (before !== undefined && before.expiresAt > claim.claimedAt) return known(before);
    const entry: Entry = { claim, expiresAt: new Date(claim.claimedAt.getTime() + keyLifeMs), isCommitted: false };
    this.entries.set(name, entry);
    inMemory(transaction).onCommit(() => (entry.isCommitted = true));
    inMemory(transaction).onRollback(() => {
      if (before === undefined) this.entries.delete(name);
      else this.entries.set(name, before);
    });
    return { kind: 'claimed' };
  }
}

function nameOf({ teamId, endpoint, key }: IdempotentRequest): string {
  return JSON.stringify([teamId, endpoint, key]);
}

/** Copies the response through JSON, as the PostgreSQL adapter does. */
function known({ claim }: Entry): KnownRequest {
  const response: unknown = JSON.parse(JSON.stringify(claim.response));
  return { kind: 'known', fingerprint: claim.request.fingerprint, response };
}
