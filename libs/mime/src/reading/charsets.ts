import { isUtf8 } from 'node:buffer';

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

/** Bytes that are decoded in one step, so that a text of 40 MB is never one string in memory. */
const stepBytes = 1024 * 1024;
/** Charset names that the Encoding Standard does not have: those of Python, Java and Windows. */
const aliases: Readonly<Record<string, string>> = {
  'iso-8859-8-i': 'iso-8859-8',
  'iso-8859-8-e': 'iso-8859-8',
  cp932: 'shift_jis',
  cp943: 'shift_jis',
  cp936: 'gbk',
  'euc-cn': 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  uhc: 'euc-kr',
  cp950: 'big5',
  'eucjp-ms': 'euc-jp',
  cp51932: 'euc-jp',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  cp874: 'windows-874',
};
/** UTF-8, and the charsets of the Encoding Standard that have one byte for a character. */
const oneByteOrUtf8 = /^(?:iso-8859-|windows-|koi8-|ibm866$|macintosh$|x-mac-|utf-8$)/;
const iso2022Jp = 'iso-2022-jp';
/** The Encoding Standard gives Latin 1 and ASCII this label, too. */
const windows1252 = 'windows-1252';

/** Maximum size of the cache. There are about 220 labels; it is cleared when messages have named many others. */
const maxKnownNames = 1_000;
const maxNameLength = 40;
const known = new Map<string, string>();

/** The label of a charset for TextDecoder. No charset means UTF-8, an unknown charset means Windows-1252. */
function labelOf(charset: string | undefined): string {
  const name = (charset ?? 'utf-8').slice(0, maxNameLength).trim().toLowerCase();
  const label = known.get(name) ?? lookedUp(name);
  if (known.size >= maxKnownNames) known.clear();
  known.set(name, label);
  return label;
}

function lookedUp(name: string): string {
  try {
    return new TextDecoder(aliases[name] ?? name).encoding;
  } catch {
    return windows1252;
  }
}

/**
 * Whether the text is UTF-8, as its charset says, or although it names one in which each byte is a character. Programs
 * declare `us-ascii` and write UTF-8. Text in such a charset is hardly ever valid UTF-8, unless it is ASCII.
 */
function isReallyUtf8(bytes: Uint8Array, label: string): boolean {
  return oneByteOrUtf8.test(label) && isUtf8(bytes);
}

/**
 * Converts text of any charset to UTF-8. UTF-8 is not copied. Invalid bytes become U+FFFD.
 */
export function asUtf8(bytes: Buffer, charset: string | undefined): Buffer {
  const label = labelOf(charset);
  if (isReallyUtf8(bytes, label)) return withoutMark(bytes);
  if (label === windows1252) return asBuffer(utf8OfWindows1252(bytes));
  const decoder = new TextDecoder(label);
  const given = label === iso2022Jp ? withoutIdleEscapes(bytes) : bytes;
  const pieces: Buffer[] = [];
  for (let at = 0; at < given.length; at += stepBytes) {
    pieces.push(Buffer.from(decoder.decode(given.subarray(at, at + stepBytes), { stream: true })));
  }
  const end = decoder.decode();
  if (end !== '') pieces.push(Buffer.from(end));
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

/** Decodes a short text of any charset. */
export function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  const declared = labelOf(charset);
  const label = isReallyUtf8(bytes, declared) ? 'utf-8' : declared;
  if (label === windows1252) return asBuffer(utf8OfWindows1252(bytes)).toString();
  const decoder = decoders.get(label) ?? new TextDecoder(label);
  decoders.set(label, decoder);
  const given = label === iso2022Jp ? withoutIdleEscapes(bytes) : bytes;
  return decoder.decode(given, { stream: true }) + decoder.decode();
}

/**
 * Decodes a text whose declared charset may be wrong. Undefined for an unknown charset and for bytes that are invalid
 * in it.
 */
export function decodeIfValid(bytes: Uint8Array, charset: string): string | undefined {
  try {
    const decoder = new TextDecoder(aliases[charset.toLowerCase()] ?? charset, { fatal: true });
    if (oneByteOrUtf8.test(decoder.encoding)) {
      if (isUtf8(bytes)) return decodeText(bytes, 'utf-8');
      if (decoder.encoding === windows1252) return decodeText(bytes, windows1252);
    }
    return decoder.decode(decoder.encoding === iso2022Jp ? withoutIdleEscapes(bytes) : bytes);
  } catch {
    return undefined;
  }
}

/**
 * Removes escape sequences of ISO-2022-JP that another one follows at once. They stand where encoded words are joined,
 * each of which ends in ASCII, and the decoder of the Encoding Standard takes the second one for an error.
 */
function withoutIdleEscapes(bytes: Uint8Array): Uint8Array {
  const text = asBuffer(bytes).toString('latin1');
  return Buffer.from(text.replace(/\x1b[($][@BIJ](?=\x1b[($][@BIJ])/g, ''), 'latin1');
}

/** Removes the byte order mark, which is not part of the text. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
