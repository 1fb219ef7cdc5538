import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { DynamicModule, Global, Injectable, Module } from '@nestjs/common';

const version = 1;
const nonceLength = 12;
const tagLength = 16;
const keyIdLength = 4;
const minMacBytes = 10;

/**
 * Encrypts secrets at rest (AES-256-GCM) and signs tokens, both under keys derived from `SECRET_KEY`.
 *
 * Sealed format: version (1 byte), key id (4), nonce (12), tag (16), ciphertext. The key id identifies the secret that
 * sealed the text, so that a wrong or rotated SECRET_KEY is distinguished from damage. `context` is authenticated but
 * not stored, so that a text that was sealed for one row cannot be opened as that of another row.
 *
 * Earlier secrets are used only to open and to verify, never to seal or sign.
 *
 * Sealed data are private keys of DKIM and of certificates, and signing secrets of webhooks; each start seals them with the current secret.
 * Signed data can be used for longer than a deployment: return paths (bounces arrive for days, reports for weeks),
 * tracked links and pixels (as long as the recipient keeps the mail), links to unsubscribe (for years), links to
 * attachments (an hour) and to shared emails (48 hours), the depth of automatic mail (while it travels), and the link to
 * the sandbox's inbox (a bookmark). Cursors of lists are ids, and webhook calls are signed with separate secrets.
 */
@Injectable()
export class SecretBox {
  private readonly current: DerivedKeys;
  private readonly known: readonly DerivedKeys[];

  constructor(secretKey: string, previousSecretKeys: readonly string[] = []) {
    this.current = deriveKeys(secretKey);
    this.known = [this.current, ...previousSecretKeys.map(deriveKeys)];
  }

  seal(plain: string, context: string): Buffer {
    const { encryptionKey, keyId } = this.current;
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([version]), keyId, nonce, cipher.getAuthTag(), sealed]);
  }

  open(sealed: Buffer, context: string): string {
    if (sealed[0] !== version) throw new Error('Sealed under an unknown format');
    const [keyId, nonce, tag, text] = split(sealed.subarray(1), keyIdLength, nonceLength, tagLength);
    const keys = this.known.find((candidate) => candidate.keyId.equals(keyId));
    if (keys === undefined) throw new Error('Sealed under another SECRET_KEY than the one configured');
    const decipher = createDecipheriv('aes-256-gcm', keys.encryptionKey, nonce)
      .setAAD(Buffer.from(context))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  }

  /** Whether the text was sealed with a known secret. */
  canOpen(sealed: Buffer): boolean {
    return this.known.some(({ keyId }) => sealed.subarray(1, 1 + keyIdLength).equals(keyId));
  }

  /** False if an earlier secret sealed the text. It should be sealed again before that secret is removed. */
  isCurrent(sealed: Buffer): boolean {
    return sealed.subarray(1, 1 + keyIdLength).equals(this.current.keyId);
  }

  /** URL-safe signature of a text. `purpose` prevents that a token of one kind is used as another. */
  sign(purpose: string, text: string): string {
    return signature(this.current, purpose, text);
  }

  /** The signature under each of the known secrets, the current one first: for a secret that others derive keys from. */
  signatures(purpose: string, text: string): readonly string[] {
    return this.known.map((keys) => signature(keys, purpose, text));
  }

  verify(purpose: string, text: string, given: string): boolean {
    return this.known.some((keys) => {
      const expected = Buffer.from(signature(keys, purpose, text));
      const actual = Buffer.from(given);
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    });
  }

  /**
   * Secrets for a library that signs and encrypts by itself, derived for this purpose: the current one first, then
   * earlier ones.
   */
  derived(purpose: string): readonly { readonly id: number; readonly value: string }[] {
    return this.known.map((keys) => ({
      id: keys.keyId.readUInt32BE() >>> 1,
      value: signature(keys, purpose, 'derived secret'),
    }));
  }

  /**
   * A MAC of `length` bytes for short tokens. 10 bytes cannot be guessed, because every guess needs a request to the
   * service.
   */
  mac(purpose: string, bytes: Uint8Array, length: number): Buffer {
    return macOf(this.current, purpose, bytes).subarray(0, length);
  }

  verifyMac(purpose: string, bytes: Uint8Array, given: Uint8Array): boolean {
    return this.known.some((keys) => {
      const expected = macOf(keys, purpose, bytes).subarray(0, given.length);
      return given.length >= minMacBytes && timingSafeEqual(expected, given);
    });
  }
}

interface DerivedKeys {
  readonly encryptionKey: Buffer;
  /** A KeyObject, because with bytes each MAC would create one. */
  readonly signingKey: KeyObject;
  readonly keyId: Buffer;
}

function deriveKeys(secretKey: string): DerivedKeys {
  const secret = /^[0-9a-f]{64}$/i.test(secretKey) ? Buffer.from(secretKey, 'hex') : Buffer.from(secretKey, 'base64');
  if (secret.length !== 32) throw new Error('SECRET_KEY must be 32 bytes');
  const encryptionKey = createHmac('sha256', secret).update('postrider encryption').digest();
  return {
    encryptionKey,
    signingKey: createSecretKey(createHmac('sha256', secret).update('postrider signing').digest()),
    keyId: createHash('sha256').update(encryptionKey).digest().subarray(0, keyIdLength),
  };
}

function signature({ signingKey }: DerivedKeys, purpose: string, text: string): string {
  return createHmac('sha256', signingKey).update(`${purpose}\n${text}`).digest('base64url');
}

function macOf({ signingKey }: DerivedKeys, purpose: string, bytes: Uint8Array): Buffer {
  return createHmac('sha256', signingKey).update(`${purpose}\n`).update(bytes).digest();
}

function split(bytes: Buffer, first: number, second: number, third: number): [Buffer, Buffer, Buffer, Buffer] {
  const a = first + second;
  const b = a + third;
  return [bytes.subarray(0, first), bytes.subarray(first, a), bytes.subarray(a, b), bytes.subarray(b)];
}

@Global()
@Module({})
export class SecretsModule {
  static forRoot(secretKey: string, previousSecretKeys: readonly string[]): DynamicModule {
    return {
      module: SecretsModule,
      providers: [{ provide: SecretBox, useValue: new SecretBox(secretKey, previousSecretKeys) }],
      exports: [SecretBox],
    };
  }
}
