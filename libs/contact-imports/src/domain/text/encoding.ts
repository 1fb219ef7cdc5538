/** How the bytes of a file are read as text. UTF-16 files are stored as UTF-8 while they arrive. */
export type TextEncoding = 'utf-8' | 'windows-1252';

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
