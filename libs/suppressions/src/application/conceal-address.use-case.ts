import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { suppressionKey } from '../domain/suppression.js';
import { AddressHashes } from './ports/address-hashes.port.js';
import { SuppressionRepository } from './ports/suppression-repository.port.js';

/**
 * Replaces an address in the suppression list by its hash: nothing is sent to it from then on either, but nobody can read it.
 * For addresses whose contact is deleted.
 */
@Injectable()
export class ConcealAddress {
  constructor(
    private readonly suppressions: SuppressionRepository,
    private readonly hashes: AddressHashes,
  ) {}

  /** False where there was no entry with the address. */
  async execute(teamId: string, address: string, transaction: Transaction): Promise<boolean> {
    const hashOf = await this.hashes.hasher();
    const email = suppressionKey(address);
    return this.suppressions.replaceAddress(teamId, email, hashOf(teamId, email), transaction);
  }

  /** The hash of an address, for records that must name it without telling it. */
  async hashOf(teamId: string, address: string): Promise<string> {
    const hashOf = await this.hashes.hasher();
    return hashOf(teamId, suppressionKey(address));
  }
}
