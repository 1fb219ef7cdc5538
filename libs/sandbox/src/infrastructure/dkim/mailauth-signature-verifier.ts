import { DnsResolver, OwnedDomains } from '#domains';
import { dkimKeyNames } from '#mime';
import { ParserThreads, ParsingBusyError } from '#platform/parsing';
import { Injectable } from '@nestjs/common';
import { SignatureVerifier } from '../../application/ports/inbox.port.js';
import { InboxDkimResult } from '../../domain/inbox-message.js';
import { dkimParser } from './dkim.parser.js';

/**
 * Maximum number of keys looked up for one message. Real mail has one to four signatures, and each key may need a DNS
 * query.
 */
const maxKeys = 10;

const keyLabel = '._domainkey.';

/** Verifies with mailauth. Keys of our own domains are those that are to be published, all others come from the DNS. */
@Injectable()
export class MailauthSignatureVerifier extends SignatureVerifier {
  constructor(
    private readonly keys: OwnedDomains,
    private readonly dns: DnsResolver,
    private readonly parsers: ParserThreads,
  ) {
    super();
  }

  async verify(raw: Uint8Array, reader: string): Promise<InboxDkimResult> {
    try {
      const names = dkimKeyNames(raw, maxKeys);
      if (names === undefined) return 'fail';
      const found = await Promise.all(names.map(async (name) => [name, await this.keyRecord(name)] as const));
      const records = new Map(
        found.flatMap(([name, record]) => (record === undefined ? [] : [[name, record] as const])),
      );
      // A copy, because the message itself is still shown.
      return await this.parsers.run(dkimParser, { owner: reader, bytes: Uint8Array.from(raw), options: { records } });
    } catch (error) {
      if (error instanceof ParsingBusyError) throw error;
      return 'fail';
    }
  }

  /** The record of a key; undefined if it cannot be looked up. */
  private async keyRecord(name: string): Promise<string | undefined> {
    const at = name.indexOf(keyLabel);
    const own = at < 1 ? undefined : await this.keys.dkimRecord(name.slice(0, at), name.slice(at + keyLabel.length));
    if (own !== undefined) return own;
    const [first] = await this.dns.txt(name).catch(() => []);
    return first;
  }
}
