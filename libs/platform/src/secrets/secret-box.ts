import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';

const version = 1;
const nonceLength = 12;
const tagLength = 16;
const keyIdLength = 4;

/**
 * Encrypts secrets at rest (AES-256-GCM) and signs tokens, both under keys derived from `SECRET_KEY`.
 *
 * Sealed form: version (1 byte), key id (4), nonce (12), tag (16), ciphertext. The key id names the secret that sealed
 * it, so that a wrong or rotated SECRET_KEY is told apart from damage. `context` is authenticated, not stored: a
 * secret sealed for one row cannot be opened as another's.
 */
@Injectable()
export class SecretBox {
  private readonly encryptionKey: Buffer;
  private readonly signingKey: Buffer;
  private readonly keyId: Buffer;

  constructor(secretKey: string) {
    const secret = /^[0-9a-f]{64}$/i.test(secretKey) ? Buffer.from(secretKey, 'hex') : Buffer.from(secretKey, 'base64');
    if (secret.length !== 32) throw new Error('SECRET_KEY must be 32 bytes');
    this.encryptionKey = createHmac('sha256', secret).update('postrider encryption').digest();
    this.signingKey = createHmac('sha256', secret).update('postrider signing').digest();
    this.keyId = createHash('sha256').update(this.encryptionKey).digest().subarray(0, keyIdLength);
  }

  seal(plain: string, context: string): Buffer {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', this.encryptionKey, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([version]), this.keyId, nonce, cipher.getAuthTag(), sealed]);
  }

  open(sealed: Buffer, context: string): string {
    if (sealed[0] !== version) throw new Error('Sealed under an unknown format');
    const [keyId, nonce, tag, text] = split(sealed.subarray(1), keyIdLength, nonceLength, tagLength);
    if (!keyId.equals(this.keyId)) throw new Error('Sealed under another SECRET_KEY than the one configured');
    const decipher = createDecipheriv('aes-256-gcm', this.encryptionKey, nonce)
      .setAAD(Buffer.from(context))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  }

  /** URL-safe signature of a text; `purpose` keeps a token of one kind from passing as another. */
  sign(purpose: string, text: string): string {
    return createHmac('sha256', this.signingKey).update(`${purpose}\n${text}`).digest('base64url');
  }

  verify(purpose: string, text: string, signature: string): boolean {
    const expected = Buffer.from(this.sign(purpose, text));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
}

function split(bytes: Buffer, first: number, second: number, third: number): [Buffer, Buffer, Buffer, Buffer] {
  const a = first + second;
  const b = a + third;
  return [bytes.subarray(0, first), bytes.subarray(first, a), bytes.subarray(a, b), bytes.subarray(b)];
}
