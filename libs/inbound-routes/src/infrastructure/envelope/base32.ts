const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 section 6, lower case, without padding. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31];
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text;
}

/** The bytes of a lower-case text of exactly this length in bytes; undefined for any other text. */
export function decodedBase32(text: string, length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  let bits = 0;
  let value = 0;
  let at = 0;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return undefined;
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (value >>> bits) & 0xff;
  }
  return at === length ? bytes : undefined;
}

/** The number that the letters stand for, the first one most significant. */
export function valueOf(text: string): number {
  return [...text].reduce((value, character) => value * 32 + alphabet.indexOf(character), 0);
}
