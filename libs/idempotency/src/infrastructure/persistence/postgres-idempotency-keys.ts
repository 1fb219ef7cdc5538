import { Transaction } from '#kernel';
import { claimed, Database, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { IdempotencyKeys } from '../../application/ports/idempotency-keys.port.js';
import { ClaimResult, IdempotencyClaim, IdempotentRequest, KnownRequest } from '../../domain/idempotency.js';
import { ClaimRow, claimStatement, knownStatement } from './claim-statement.js';

type KnownRow = { position: number; fingerprint: Buffer; response: unknown; expiresAt: Date };

@Injectable()
export class PostgresIdempotencyKeys extends IdempotencyKeys {
  constructor(private readonly database: Database) {
    super();
  }

  async find(request: IdempotentRequest, now: Date): Promise<KnownRequest | undefined> {
    const [row] = await this.database.query<KnownRow>(knownStatement([request]));
    return row === undefined || row.expiresAt <= now ? undefined : knownRequest(row);
  }

  async claim(claims: readonly IdempotencyClaim[], transaction: Transaction): Promise<readonly ClaimResult[]> {
    const results: ClaimResult[] = claims.map(() => ({ kind: 'in progress' }));
    const positions = firstOfEachKey(claims);
    const taken: number[] = [];
    const rows = await statementsOf(transaction).query<ClaimRow>(
      claimStatement(positions.map((position) => claims[position] as IdempotencyClaim)),
    );
    for (const row of rows) {
      const position = positions[row.position] as number;
      if (row.kind === 'claimed') results[position] = { kind: 'claimed' };
      if (row.kind === 'taken') taken.push(position);
    }
    if (taken.length > 0) await this.addKnown(claims, taken, results, transaction);
    return results;
  }

  async removeExpired(now: Date, limit: number): Promise<number> {
    return this.database.execute({
      name: 'remove-expired-idempotency-keys',
      text: `DELETE FROM idempotency_keys
             WHERE ${claimed('ctid', 'FROM idempotency_keys WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2')}`,
      values: [now, limit],
    });
  }

  private async addKnown(
    claims: readonly IdempotencyClaim[],
    positions: readonly number[],
    results: ClaimResult[],
    transaction: Transaction,
  ): Promise<void> {
    const requests = positions.map((position) => (claims[position] as IdempotencyClaim).request);
    const rows = await statementsOf(transaction).query<KnownRow>(knownStatement(requests));
    for (const row of rows) results[positions[row.position] as number] = knownRequest(row);
  }
}

/**
 * Positions of the first claim of each key. Claims for one key in one call arrived at the same time: the first is made,
 * the others count as concurrent.
 */
function firstOfEachKey(claims: readonly IdempotencyClaim[]): number[] {
  const first = new Map<string, number>();
  claims.forEach(({ request: { teamId, endpoint, key } }, position) => {
    const name = `${teamId} ${endpoint} ${key}`;
    if (!first.has(name)) first.set(name, position);
  });
  return [...first.values()];
}

function knownRequest({ fingerprint, response }: KnownRow): KnownRequest {
  return { kind: 'known', fingerprint, response };
}
