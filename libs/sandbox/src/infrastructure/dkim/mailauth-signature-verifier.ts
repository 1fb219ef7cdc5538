import { DnsResolver, PublishedKeys } from '#domains';
import { Injectable } from '@nestjs/common';
import { SignatureVerifier } from '../../application/ports/signature-verifier.port.js';
import { DkimVerdict } from '../../domain/inbox-message.js';

const keyLabel = '._domainkey.';

/**
 * mailauth takes the square of the number of folded lines (1.5 s for 20,000) and of the length of a From field (0.8 s for
 * 64 KB). A header of more is not verified.
 */
const maxHeaderBytes = 16 * 1024;
const maxHeaderLines = 1_000;

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
      if (!isReadable(message)) return 'fail';
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

/** SMTP carries no bare LF, for each of which mailauth waits a turn. The header ends behind the first empty line. */
function isReadable(message: Buffer): boolean {
  let lines = 0;
  let isHeader = true;
  for (let at = message.indexOf(0x0a); at >= 0; at = message.indexOf(0x0a, at + 1)) {
    if (message[at - 1] !== 0x0d) return false;
    if (!isHeader) continue;
    if (at > maxHeaderBytes || ++lines > maxHeaderLines) return false;
    isHeader = message[at + 1] !== 0x0d || message[at + 2] !== 0x0a;
  }
  return !isHeader || message.length <= maxHeaderBytes;
}

/** mailauth answers a message without signatures with one result, `none`; all its other words but `pass` are failures. */
function verdictOf(results: readonly string[]): DkimVerdict {
  if (results.includes('pass')) return 'pass';
  return results.every((result) => result === 'none') ? 'none' : 'fail';
}
