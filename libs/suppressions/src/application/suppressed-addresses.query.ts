import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SuppressionOrigin, suppressionKey } from '../domain/suppression.js';
import { AddressHashes, SuppressionRepository } from './ports/suppression-repository.port.js';

/**
 * Tells the acceptance of emails which addresses are suppressed.
 *
 * Reads the database each time, once for a whole batch. A cache would have to hold the suppressions of every team, and
 * would still send to an address in the moments after it complained.
 */
@Injectable()
export class SuppressedAddresses {
  constructor(
    private readonly suppressions: SuppressionRepository,
    private readonly hashes: AddressHashes,
  ) {}

  async among(
    addresses: readonly { readonly teamId: string; readonly address: string }[],
    transaction: Transaction,
  ): Promise<{ originOf(teamId: string, address: string): SuppressionOrigin | undefined }> {
    if (addresses.length === 0) return { originOf: () => undefined };
    const hashOf = await this.hashes.hasher();
    const asked = addresses.map(({ teamId, address }) => ({ teamId, email: suppressionKey(address) }));
    const [plain, concealing] = await Promise.all([
      this.suppressions.among(asked, transaction),
      this.suppressions.teamsThatConceal([...new Set(asked.map(({ teamId }) => teamId))], transaction),
    ]);
    // A hash costs as much as all else that is done for an address here, and few teams have concealed ones.
    const hashed = asked
      .filter(({ teamId }) => concealing.has(teamId))
      .map(({ teamId, email }) => ({ teamId, email: hashOf(teamId, email), key: keyOf(teamId, email) }));
    const concealed = hashed.length === 0 ? [] : await this.suppressions.among(hashed, transaction);
    const keyOfHash = new Map(hashed.map(({ teamId, email, key }) => [keyOf(teamId, email), key]));
    const origins = new Map([
      ...concealed.map(({ teamId, email, origin }) => [keyOfHash.get(keyOf(teamId, email)), origin] as const),
      ...plain.map(({ teamId, email, origin }) => [keyOf(teamId, email), origin] as const),
    ]);
    return { originOf: (teamId, address) => origins.get(keyOf(teamId, suppressionKey(address))) };
  }
}

function keyOf(teamId: string, email: string): string {
  return `${teamId} ${email}`;
}
