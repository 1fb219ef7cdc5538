import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SuppressionOrigin, suppressionKey } from '../domain/suppression.js';
import { AddressHashes } from './ports/address-hashes.port.js';
import { SuppressionRepository } from './ports/suppression-repository.port.js';

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
    // A hash costs as much as the rest of an address here, and few teams have any.
    const concealed = asked
      .filter(({ teamId }) => concealing.has(teamId))
      .map(({ teamId, email }) => ({ teamId, email: hashOf(teamId, email) }));
    const found =
      concealed.length === 0 ? plain : [...plain, ...(await this.suppressions.among(concealed, transaction))];
    if (found.length === 0) return { originOf: () => undefined };
    const byStoredAddress = new Map(found.map(({ teamId, email, origin }) => [`${teamId} ${email}`, origin]));
    const originOfKey = (teamId: string, email: string): SuppressionOrigin | undefined =>
      byStoredAddress.get(`${teamId} ${email}`) ?? byStoredAddress.get(`${teamId} ${hashOf(teamId, email)}`);
    return { originOf: (teamId, address) => originOfKey(teamId, suppressionKey(address)) };
  }
}
