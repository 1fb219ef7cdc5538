/**
 * Encoded words (RFC 2047), always UTF-8, in Q or B, whichever is shorter.
 *
 * Q uses the alphabet that is allowed everywhere, phrases included (section 5, rule 3), so one form serves subjects and
 * display names alike.
 */
const overhead = '=?UTF-8?Q??='.length;

/** Longest encoded word (RFC 2047 section 2). */
const maxWordLength = 75;
/** The shortest word worth starting on a line that is nearly full. */
const minWordLength = overhead + 16;

const literalInQ: readonly boolean[] = Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z0-9!*+\-/]/.test(String.fromCharCode(byte)),
);
const hexPair: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
);

/**
 * Splits text into encoded words. Each holds whole characters (section 5: "an integral number of characters").
 *
 * @param room columns left on the current line; the first word keeps within them where that is sensible, as a line with
 * encoded words should not pass 76 columns.
 */
export function encodedWords(text: string, room = maxWordLength): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const encode = lengthInQ(bytes, 0, bytes.length) <= Math.ceil(bytes.length / 3) * 4 ? wordInQ : wordInB;
  const measure = encode === wordInQ ? lengthInQ : lengthInB;
  const words: string[] = [];
  let limit = (room >= minWordLength ? Math.min(room, maxWordLength) : maxWordLength) - overhead;
  let start = 0;
  let end = 0;
  while (end < bytes.length) {
    const next = nextCharacter(bytes, end);
    if (measure(bytes, start, next) > limit) {
      words.push(encode(bytes, start, end));
      start = end;
      limit = maxWordLength - overhead;
    }
    end = next;
  }
  if (end > start) words.push(encode(bytes, start, end));
  return words;
}

function nextCharacter(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && ((bytes[at] as number) & 0xc0) === 0x80) at++;
  return at;
}

function lengthInQ(bytes: Uint8Array, start: number, end: number): number {
  let length = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    length += byte === 0x20 || literalInQ[byte] ? 1 : 3;
  }
  return length;
}

function lengthInB(_bytes: Uint8Array, start: number, end: number): number {
  return Math.ceil((end - start) / 3) * 4;
}

function wordInQ(bytes: Buffer, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === 0x20) text += '_';
    else text += literalInQ[byte] ? String.fromCharCode(byte) : (hexPair[byte] as string);
  }
  return `=?UTF-8?Q?${text}?=`;
}

function wordInB(bytes: Buffer, start: number, end: number): string {
  return `=?UTF-8?B?${bytes.toString('base64', start, end)}?=`;
}
