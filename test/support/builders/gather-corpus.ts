import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CorpusMessage {
  readonly name: string;
  /** The message with CRLF line ends, as on the wire. */
  readonly raw: Buffer;
}

/**
 * The messages of test/corpus, or of a folder in it. The files have LF line ends, which become CRLF here. Bytes above
 * 127 are written as \xNN, so that the files are ASCII and no editor changes them.
 */
export function gatherCorpus(...folders: readonly string[]): CorpusMessage[] {
  const directory = join('test', 'corpus', ...folders);
  return readdirSync(directory)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => ({ name: name.slice(0, -4), raw: decode(readFileSync(join(directory, name), 'latin1')) }));
}

function decode(text: string): Buffer {
  const bytes = text.replace(/\\x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes.replaceAll('\n', '\r\n'), 'latin1');
}
