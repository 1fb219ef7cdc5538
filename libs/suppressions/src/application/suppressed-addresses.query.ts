import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SuppressionOrigin, suppressionKey } from '../domain/suppression.js';
import { SuppressionRepository } from './ports/suppression-repository.port.js';

/**
 * Which addresses must not be sent to, for whoever accepts mail.
 *
 * Asks the database each time, once for a whole batch: a cache would have to hold every list of every team, and would
 * send to an address in the moments after it complained.
 */
@Injectable()
export class SuppressedAddresses {
  constructor(private readonly suppressions: SuppressionRepository) {}

  async among(
    addresses: readonly { readonly teamId: string; readonly address: string }[],
    transaction: Transaction,
  ): Promise<{ originOf(teamId: string, address: string): SuppressionOrigin | undefined }> {
    const wanted = addresses.map(({ teamId, address }) => ({ teamId, email: suppressionKey(address) }));
    const found = wanted.length === 0 ? [] : await this.suppressions.among(wanted, transaction);
    const origins = new Map(found.map(({ teamId, email, origin }) => [`${teamId} ${email}`, origin]));
    return { originOf: (teamId, address) => origins.get(`${teamId} ${suppressionKey(address)}`) };
  }
}
