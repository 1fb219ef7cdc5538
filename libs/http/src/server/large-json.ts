import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { StreamableFile } from '@nestjs/common';

/** A text that is too large for one string: UTF-8 in pieces, which can be read once. */
export type TextInPieces = AsyncIterable<Uint8Array>;

declare const streamed: unique symbol;

/** The response of `jsonResponse`. The compiler does not know its fields. */
export interface StreamedJson {
  readonly [streamed]: true;
}

/**
 * An object as the response to a request. Where a field is a text in pieces, the response is sent piece by piece, in
 * the order of the fields, so that neither a whole text nor the whole response is ever in memory.
 */
export function jsonResponse(fields: Readonly<Record<string, unknown>>): StreamedJson {
  if (!Object.values(fields).some(isInPieces)) return fields as unknown as StreamedJson;
  const stream = Readable.from(jsonPieces(fields), { objectMode: false, highWaterMark: 64 * 1024 });
  return streamedJson(stream);
}

/**
 * A page as the response to a request. Fields of its items may be texts in pieces, as in `jsonResponse`.
 */
export function jsonListResponse(hasMore: boolean, items: readonly Readonly<Record<string, unknown>>[]): StreamedJson {
  if (!items.some((item) => Object.values(item).some(isInPieces))) {
    return { object: 'list', has_more: hasMore, data: items } as unknown as StreamedJson;
  }
  const pieces = async function* (): AsyncGenerator<string> {
    yield `{"object":"list","has_more":${hasMore},"data":[`;
    for (const [index, item] of items.entries()) {
      if (index > 0) yield ',';
      yield* jsonPieces(item);
    }
    yield ']}';
  };
  const stream = Readable.from(pieces(), { objectMode: false, highWaterMark: 64 * 1024 });
  return streamedJson(stream);
}

function streamedJson(stream: Readable): StreamedJson {
  return new StreamableFile(stream, { type: 'application/json; charset=utf-8' }) as unknown as StreamedJson;
}

async function* jsonPieces(fields: Readonly<Record<string, unknown>>): AsyncGenerator<string> {
  let separator = '{';
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (!isInPieces(value)) yield JSON.stringify(value);
    else {
      yield '"';
      for await (const text of textPieces(value)) yield JSON.stringify(text).slice(1, -1);
      yield '"';
    }
  }
  yield '}';
}

/** Decodes pieces of UTF-8 to strings of whole characters. */
export async function* textPieces(bytes: TextInPieces): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  for await (const whole of bytes) {
    // Strings of a megabyte take twice as long as many small ones.
    for await (const piece of inPieces(whole)) {
      const text = decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
      if (text !== '') yield text;
    }
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

const pieceBytes = 64 * 1024;

/** Splits bytes in memory into pieces. */
export async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

function isInPieces(value: unknown): value is TextInPieces {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
