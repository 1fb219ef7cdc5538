import { ConcealAddress } from '#suppressions';
import { Injectable } from '@nestjs/common';
import { AddressHash } from '../application/ports/address-hash.port.js';

@Injectable()
export class SuppressionAddressHash extends AddressHash {
  constructor(private readonly suppressions: ConcealAddress) {
    super();
  }

  of(teamId: string, address: string): Promise<string> {
    return this.suppressions.hashOf(teamId, address);
  }
}
