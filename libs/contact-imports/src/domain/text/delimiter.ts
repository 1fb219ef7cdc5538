/** The delimiters that programs write, the most usual first. */
export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** Records that are looked at. */
const sampledRecords = 20;

/**
 * The delimiter of a CSV text, from its beginning. The one with which the most of the expected columns are found; then
 * the one with which most records have as many cells as the first; then the one with the most cells.
 *
 * @param expectedColumns in lower case
 */
export function detectDelimiter(start: string, expectedColumns: ReadonlySet<string>): Delimiter {
  const scores = delimiters.map((delimiter) => scoreOf(start, delimiter, expectedColumns));
  const best = scores.reduce((a, b) => (isBetter(b, a) ? b : a));
  return best.delimiter;
}

interface Score {
  readonly delimiter: Delimiter;
  readonly expected: number;
  readonly alike: number;
  readonly cells: number;
}

function isBetter(a: Score, b: Score): boolean {
  if (a.expected !== b.expected) return a.expected > b.expected;
  // A delimiter that does not occur splits every record into as many cells as the first: one.
  if (a.cells > 1 !== b.cells > 1) return a.cells > 1;
  return a.alike !== b.alike ? a.alike > b.alike : a.cells > b.cells;
}

function scoreOf(text: string, delimiter: Delimiter, expectedColumns: ReadonlySet<string>): Score {
  const records = firstRecords(text, delimiter);
  const [header = [], ...rest] = records;
  const expected = header.filter((name) => expectedColumns.has(name.trim().toLowerCase())).length;
  const alike = rest.filter((record) => record.length === header.length).length / Math.max(1, rest.length);
  return { delimiter, expected, alike, cells: header.length };
}

/** Reads a few records roughly: quotes are honoured, and left out of the cells. */
function firstRecords(text: string, delimiter: Delimiter): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let from = 0;
  let isQuoted = false;
  const endCell = (end: number): void => void record.push(text.slice(from, end).replaceAll('"', ''));
  for (let at = 0; at < text.length && records.length < sampledRecords; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === delimiter) {
      endCell(at);
      from = at + 1;
    } else if (character === '\n' || character === '\r') {
      endCell(at);
      if (record.length > 1 || record[0] !== '') records.push(record);
      record = [];
      from = at + 1;
    }
  }
  // The last record of a long text is cut somewhere; that of a short one is its end.
  if (records.length === 0) {
    endCell(text.length);
    records.push(record);
  }
  return records;
}
