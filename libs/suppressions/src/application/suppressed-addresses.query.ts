import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SuppressionOrigin, suppressionKey } from '../domain/suppression.js';
import { SuppressionRepository } from './ports/suppression-repository.port.js';

/**
 * Tells the acceptance of emails which addresses are suppressed.
 *
 * Reads the database each time, once for a whole batch. A cache would have to hold the suppressions of every team, and
 * would still send to an address in the moments after it complained.
 */
@Injectable()
export class SuppressedAddresses {
  constructor(private readonly suppressions: SuppressionRepository) {}

  async among(
    addresses: readonly { readonly teamId: string; readonly address: string }[],
    transaction: Transaction,
  ): Promise<{ originOf(teamId: string, address: string): SuppressionOrigin | undefined }> {
    const keys = addresses.map(({ teamId, address }) => ({ teamId, email: suppressionKey(address) }));
    const found = keys.length === 0 ? [] : await this.suppressions.among(keys, transaction);
    const origins = new Map(found.map(({ teamId, email, origin }) => [`${teamId} ${email}`, origin]));
    return { originOf: (teamId, address) => origins.get(`${teamId} ${suppressionKey(address)}`) };
  }
}
