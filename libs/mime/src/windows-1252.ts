/**
 * The characters of the bytes 0x80 to 0x9F. The five bytes that have none become control characters, as the Encoding
 * Standard says.
 */
const characters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
/** By byte, from 0x80: its character as UTF-8. The bytes from 0xA0 on have the characters of the same number. */
const encoded = Array.from({ length: 128 }, (_, no) =>
  new TextEncoder().encode(characters[no] ?? String.fromCharCode(0x80 + no)),
);

/** Windows-1252 as UTF-8. Not by `TextDecoder`, which reads Latin-1 instead in some versions of Node 20, 22 and 24. */
export function utf8OfWindows1252(bytes: Uint8Array): Uint8Array {
  let size = bytes.length;
  for (const byte of bytes) if (byte >= 0x80) size += (encoded[byte - 0x80] as Uint8Array).length - 1;
  const utf8 = new Uint8Array(size);
  let end = 0;
  for (const byte of bytes) {
    if (byte < 0x80) utf8[end++] = byte;
    else for (const each of encoded[byte - 0x80] as Uint8Array) utf8[end++] = each;
  }
  return utf8;
}
