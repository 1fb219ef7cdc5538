import { DnsResolver, PublishedKeys } from '#domains';
import { Injectable } from '@nestjs/common';
import { SignatureVerifier } from '../../application/ports/signature-verifier.port.js';
import { DkimVerdict } from '../../domain/inbox-message.js';

const keyLabel = '._domainkey.';

/** Verifies with mailauth, against our own domains' keys as they are to be published and the DNS for everyone else's. */
@Injectable()
export class MailauthSignatureVerifier extends SignatureVerifier {
  constructor(
    private readonly keys: PublishedKeys,
    private readonly dns: DnsResolver,
  ) {
    super();
  }

  async verify(raw: Uint8Array): Promise<DkimVerdict> {
    try {
      // Loaded when first needed: its parsers and their tables are 6 MB of memory that sending mail has no use for.
      const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
      const message = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
      const { results } = await dkimVerify(message, { resolver: (name) => this.keyRecord(name) });
      return verdictOf(results.map(({ status }) => status.result));
    } catch {
      return 'fail';
    }
  }

  /** In the form of Node's `resolveTxt`, absence included. */
  private async keyRecord(name: string): Promise<string[][]> {
    const at = name.toLowerCase().indexOf(keyLabel);
    const own = at < 1 ? undefined : await this.keys.dkimRecord(name.slice(0, at), name.slice(at + keyLabel.length));
    const records = own === undefined ? await this.dns.txt(name) : [own];
    if (records.length === 0) throw Object.assign(new Error(`${name} has no TXT record`), { code: 'ENODATA' });
    return records.map((record) => [record]);
  }
}

/** mailauth answers a message without signatures with one result, `none`; all its other words but `pass` are failures. */
function verdictOf(results: readonly string[]): DkimVerdict {
  if (results.includes('pass')) return 'pass';
  return results.every((result) => result === 'none') ? 'none' : 'fail';
}
