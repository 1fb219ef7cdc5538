import { generateKeyPairSync } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';

/** The DKIM signature of somebody who writes to us: the record to publish at `s1._domainkey`, and signed messages. */
export class AuthorSignature {
  readonly #keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

  constructor(private readonly signingDomain: string) {}

  get record(): { readonly txt: string[] } {
    return { txt: [`v=DKIM1; k=rsa; p=${this.#keys.publicKey.toString('base64')}`] };
  }

  /** `message` with CRLF line ends, behind its signature. */
  async sign(message: Buffer): Promise<Buffer> {
    const { signatures } = await dkimSign(message, {
      canonicalization: 'relaxed/relaxed',
      // Without it the library reads the clock once to sign and once to write, and a second may begin in between.
      signTime: new Date(),
      signatureData: [{ signingDomain: this.signingDomain, selector: 's1', privateKey: this.#keys.privateKey }],
    } as never);
    return Buffer.concat([Buffer.from(signatures), message]);
  }
}
