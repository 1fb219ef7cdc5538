export const base32Letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 section 6, lower case, without padding. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += base32Letters[(value >>> (bits - 5)) & 31];
  }
  return bits > 0 ? text + base32Letters[(value << (5 - bits)) & 31] : text;
}

/** Undefined if `encodeBase32` cannot have made the text. */
export function decodeBase32(text: string): Buffer | undefined {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const character of text) {
    const digit = base32Letters.indexOf(character);
    if (digit < 0) return undefined;
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 0xff);
  }
  return encodeBase32(Uint8Array.from(bytes)) === text ? Buffer.from(bytes) : undefined;
}
