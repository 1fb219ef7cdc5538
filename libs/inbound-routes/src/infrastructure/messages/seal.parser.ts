import type { Parser } from '#platform/parsing';

export interface SealOptions {
  readonly signingDomain: string;
  readonly selector: string;
  readonly privateKey: string;
  readonly authResults: string;
  readonly cv: 'none' | 'pass';
}

/** Makes the three fields of an ARC set with mailauth. Empty if a chain in the message cannot be continued. */
export async function parse(message: Uint8Array, options: SealOptions): Promise<Uint8Array> {
  const { sealMessage } = await import('mailauth/lib/arc/index.js');
  try {
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    // Without a time, mailauth reads the clock once to sign and once more to write, and a second may begin in between.
    return await sealMessage(bytes, { ...options, algorithm: 'rsa-sha256', signTime: new Date() });
  } catch {
    return new Uint8Array();
  }
}

/** Signing hashes all of the message twice: always in a thread. */
export const sealParser: Parser<SealOptions, Uint8Array> = { url: import.meta.url, parse, maxInlineBytes: 0 };
