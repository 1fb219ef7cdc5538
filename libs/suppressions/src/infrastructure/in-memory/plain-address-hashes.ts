import { AddressHashes } from '../../application/ports/suppression-repository.port.js';
import { concealedPrefix } from '../../domain/suppression.js';

/** Hashes that tests can read. */
export class PlainAddressHashes extends AddressHashes {
  async hasher(): Promise<(teamId: string, email: string) => string> {
    return (teamId, email) => `${concealedPrefix}${teamId}:${email.replace('@', '-')}`;
  }
}
