/** How the bytes of a file are read as text. UTF-16 files are stored as UTF-8 while they arrive. */
export type TextEncoding = 'utf-8' | 'shift_jis' | 'windows-1250' | 'windows-1251' | 'windows-1252';

export type Utf16 = 'utf-16le' | 'utf-16be';

/** Bytes that are needed to tell UTF-16 from the rest. */
export const sniffedBytes = 1_024;

export interface SniffedStart {
  readonly utf16: Utf16 | undefined;
  /** Length of the byte order mark. */
  readonly markBytes: number;
}

/** Looks at the first bytes of a file: a byte order mark, or the zero bytes that ASCII characters have in UTF-16. */
export function sniff(start: Uint8Array): SniffedStart {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return { utf16: undefined, markBytes: 3 };
  if (start[0] === 0xff && start[1] === 0xfe) return { utf16: 'utf-16le', markBytes: 2 };
  if (start[0] === 0xfe && start[1] === 0xff) return { utf16: 'utf-16be', markBytes: 2 };
  return { utf16: utf16WithoutMark(start.subarray(0, sniffedBytes)), markBytes: 0 };
}

/** The names of columns, the delimiters and the line ends are mostly ASCII in every language. */
function utf16WithoutMark(start: Uint8Array): Utf16 | undefined {
  const pairs = Math.floor(start.length / 2);
  if (pairs < 2) return undefined;
  let first = 0;
  let second = 0;
  for (let at = 0; at < pairs * 2; at += 2) {
    if (start[at] === 0) first += 1;
    if (start[at + 1] === 0) second += 1;
  }
  if (second > pairs * 0.3 && first < pairs * 0.05) return 'utf-16le';
  if (first > pairs * 0.3 && second < pairs * 0.05) return 'utf-16be';
  return undefined;
}

/** Name of a kind of file that people give instead of CSV, by its first bytes. */
export function otherKindOfFile(start: Uint8Array): string | undefined {
  const begins = (...bytes: readonly number[]): boolean => bytes.every((byte, index) => start[index] === byte);
  if (begins(0x50, 0x4b, 0x03, 0x04)) return 'an Excel workbook or another ZIP archive';
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) return 'an old Excel workbook';
  if (begins(0x25, 0x50, 0x44, 0x46)) return 'a PDF document';
  if (begins(0x1f, 0x8b)) return 'a gzip archive';
  return undefined;
}

/** Bytes of the lines from which the encoding of a text that is no UTF-8 is told. */
export const legacySampleBytes = 64 * 1024;

/**
 * The encoding in which spreadsheets write a text that is no UTF-8, by what it would say: words of kana and kanji, words
 * of Cyrillic, or letters of the languages of Central Europe that Western letters do not outnumber. The dashboard reads
 * the names of columns by the same rule (`apps/dashboard/src/logic/csv-columns.ts`).
 */
export function legacyEncoding(sample: Uint8Array): TextEncoding {
  const count = (text: string, pattern: RegExp): number => text.match(pattern)?.join('').length ?? 0;
  const beyondAscii = /[^\x00-\x7f]/g;
  try {
    const japanese = new TextDecoder('shift_jis', { fatal: true }).decode(sample, { stream: true });
    const words = count(japanese, /[\u3040-\u30ff\u3400-\u9fff\uff61-\uff9f]{2,}/g);
    if (/[\u3040-\u9fff]{2}/.test(japanese) && words * 2 > count(japanese, beyondAscii)) return 'shift_jis';
  } catch {
    // It is not Shift_JIS.
  }
  const cyrillic = new TextDecoder('windows-1251').decode(sample);
  if (count(cyrillic, /[\u0400-\u04ff]{3,}/g) * 2 > count(cyrillic, beyondAscii)) return 'windows-1251';
  const central = new TextDecoder('windows-1250').decode(sample);
  const own = count(central, /[šťž]|ě(?=\p{L})|(?<=\p{L})[ąłż](?=\p{L})/giu);
  const shared = count(central, /[čćęńňřůăďđĺŕ]/gi);
  const isHungarian = shared === 0 && /ő(?!e)/i.test(central) && /[áéíóú]/i.test(central);
  return own * 4 > shared || isHungarian ? 'windows-1250' : 'windows-1252';
}
