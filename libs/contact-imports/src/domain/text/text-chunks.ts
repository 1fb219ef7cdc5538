import { NotCsvError, storedChunkBytes } from '../import-errors.js';
import {
  legacyEncoding,
  legacySampleBytes,
  otherKindOfFile,
  sniff,
  sniffedBytes,
  TextEncoding,
  Utf16,
} from './encoding.js';
import { Utf8Check } from './utf8-check.js';

/**
 * Cuts a file that arrives into chunks for storage: without its byte order mark, UTF-16 as UTF-8, and never within a
 * character of UTF-8, so that each chunk can be read by itself. `encoding` is known at the end. Holds about one chunk.
 */
export class TextChunks {
  private readonly check = new Utf8Check();
  /** The first lines with a character beyond ASCII. */
  private sample: Uint8Array | undefined;

  constructor(private readonly chunkBytes = storedChunkBytes) {}

  get encoding(): TextEncoding {
    return this.check.isUtf8 ? 'utf-8' : legacyEncoding(this.sample ?? new Uint8Array());
  }

  async *of(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let pieces: Uint8Array[] = [];
    let held = 0;
    for await (const piece of withoutUtf16(file)) {
      this.check.push(piece);
      pieces.push(piece);
      held += piece.length;
      if (held < this.chunkBytes) continue;
      const all = joined(pieces, held);
      const end = lastAscii(all);
      yield this.sampled(all.subarray(0, end));
      pieces = [all.slice(end)];
      held = all.length - end;
    }
    if (held > 0) yield this.sampled(joined(pieces, held));
  }

  private sampled(chunk: Uint8Array): Uint8Array {
    const at = this.sample === undefined ? chunk.findIndex((byte) => byte >= 0x80) : -1;
    if (at >= 0) {
      const line = chunk.lastIndexOf(0x0a, at) + 1;
      this.sample = chunk.slice(line, line + legacySampleBytes);
    }
    return chunk;
  }
}

/** The file without its byte order mark, and as UTF-8 if it is UTF-16. Throws NotCsvError for other kinds of file. */
async function* withoutUtf16(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array[] | undefined = [];
  let held = 0;
  let convert: Converter = (bytes) => bytes ?? new Uint8Array();
  for await (const piece of file) {
    held += piece.length;
    start?.push(piece);
    if (start === undefined) yield convert(piece);
    else if (held >= sniffedBytes) {
      const [bytes, found] = begun(joined(start, held));
      start = undefined;
      convert = found;
      yield convert(bytes);
    }
  }
  if (start !== undefined) {
    const [bytes, found] = begun(joined(start, held));
    convert = found;
    yield convert(bytes);
  }
  yield convert(undefined);
}

/** Converts the next bytes; undefined is the end. */
type Converter = (bytes: Uint8Array | undefined) => Uint8Array;

function begun(start: Uint8Array): [rest: Uint8Array, convert: Converter] {
  const other = otherKindOfFile(start);
  if (other !== undefined) throw new NotCsvError(other);
  const { utf16, markBytes } = sniff(start);
  const asItIs: Converter = (bytes) => bytes ?? new Uint8Array();
  const convert = utf16 === undefined ? asItIs : toUtf8(utf16);
  return [start.subarray(markBytes), convert];
}

function toUtf8(from: Utf16): Converter {
  const decoder = new TextDecoder(from, { ignoreBOM: true });
  const encoder = new TextEncoder();
  return (bytes) => encoder.encode(bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }));
}

/** The end of the last ASCII character, behind which no character of UTF-8 continues. The whole length if there is none. */
function lastAscii(bytes: Uint8Array): number {
  for (let end = bytes.length; end > 0; end--) if ((bytes[end - 1] as number) < 0x80) return end;
  return bytes.length;
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
