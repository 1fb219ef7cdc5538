import { StringDecoder } from 'node:string_decoder';
import { EncodedBytes, LargeText, ValidationError } from '#kernel';

const maxDepth = 64;
/** Items of an array that are written at a time: an array of numbers may hold the bytes of an attachment. */
const itemsPerSlice = 16_384;
/**
 * Bytes of a long text or of decoded content that are written at a time. A multiple of 3, so that base64 has no padding
 * within.
 */
const pieceBytes = 48 * 1024;

/**
 * The canonical form of parsed JSON, in small parts: object keys sorted, no white space, a comma after each item.
 * Stored fingerprints are hashes of this form, so it must never change. It is the same for a string or array and for
 * the `LargeText` or `EncodedBytes` that holds the same content.
 */
export function* canonicalJson(value: unknown, depth = 0): Generator<string | Buffer> {
  if (depth > maxDepth) throw new ValidationError('The request body is nested too deeply.');
  if (value instanceof EncodedBytes) yield* encodedBytes(value);
  else if (value instanceof LargeText) yield* largeText(value);
  else if (Array.isArray(value)) yield* array(value, depth);
  else if (typeof value === 'object' && value !== null) yield* object(value as Record<string, unknown>, depth);
  else yield JSON.stringify(value) ?? 'null';
}

function* array(items: readonly unknown[], depth: number): Generator<string | Buffer> {
  yield '[';
  for (let at = 0; at < items.length; at += itemsPerSlice) {
    const part = items.slice(at, at + itemsPerSlice);
    if (part.every((item) => typeof item === 'number')) yield `${JSON.stringify(part).slice(1, -1)},`;
    else for (const item of part) yield* withComma(item, depth);
  }
  yield ']';
}

function* object(fields: Record<string, unknown>, depth: number): Generator<string | Buffer> {
  yield '{';
  for (const key of Object.keys(fields).sort()) {
    yield `${JSON.stringify(key)}:`;
    yield* withComma(fields[key], depth);
  }
  yield '}';
}

function* withComma(item: unknown, depth: number): Generator<string | Buffer> {
  yield* canonicalJson(item, depth + 1);
  yield ',';
}

function* largeText({ bytes }: LargeText): Generator<string> {
  const decoder = new StringDecoder('utf8');
  yield '"';
  for (const piece of pieces(bytes)) yield JSON.stringify(decoder.write(piece)).slice(1, -1);
  yield '"';
}

/**
 * Writes the bytes in the form in which the request had them: a string or an array. Base64 with line breaks, or in the
 * URL alphabet, is written as ordinary base64.
 */
function* encodedBytes({ bytes, writtenAs }: EncodedBytes): Generator<string | Buffer> {
  if (bytes === undefined) {
    yield 'null';
    return;
  }
  const [begin, end] = writtenAs === 'base64' ? ['"', '"'] : ['[', ']'];
  yield begin;
  for (const piece of pieces(bytes)) yield writtenAs === 'base64' ? piece.toString('base64') : integers(piece);
  yield end;
}

function* pieces(bytes: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const { length } = bytes.subarray(at, at + pieceBytes);
    yield Buffer.from(bytes.buffer, bytes.byteOffset + at, length);
  }
}

const zero = 0x30;
const comma = 0x2c;

/**
 * Writes each integer with a comma after it, straight into a buffer: making a string for each of 30 million integers
 * takes a second.
 */
function integers(octets: Uint8Array): Buffer {
  const written = Buffer.allocUnsafe(octets.length * 4);
  let at = 0;
  for (const octet of octets) {
    if (octet >= 100) written[at++] = zero + Math.trunc(octet / 100);
    if (octet >= 10) written[at++] = zero + (Math.trunc(octet / 10) % 10);
    written[at++] = zero + (octet % 10);
    written[at++] = comma;
  }
  return written.subarray(0, at);
}
