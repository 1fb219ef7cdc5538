import { AddressHashes } from '../../application/ports/address-hashes.port.js';

/** Hashes that tests can read. */
export class PlainAddressHashes extends AddressHashes {
  async hasher(): Promise<(teamId: string, email: string) => string> {
    return (teamId, email) => `hmac:${teamId}:${email.replace('@', '-')}`;
  }
}
