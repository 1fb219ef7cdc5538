import { randomBytes } from 'node:crypto';
import { EncodedBytes } from '#kernel';

/** Bytes that make whole characters of base64. */
const pieceBytes = 48 * 1024;

/** A request body that was parsed, as JSON again: attachments piece by piece, so that none is one string. */
export function* jsonPieces(body: unknown): Generator<string> {
  const mark = randomBytes(12).toString('hex');
  const parts: Uint8Array[] = [];
  const text = JSON.stringify(body, function (this: Record<string, unknown>, key, value: unknown) {
    const given = this[key];
    return given instanceof EncodedBytes && given.bytes !== undefined ? `${mark}${parts.push(given.bytes) - 1}` : value;
  });
  const pieces = text.split(new RegExp(`${mark}(\\d+)`));
  for (const [index, piece] of pieces.entries()) {
    const bytes = index % 2 === 0 ? undefined : parts[Number(piece)];
    if (bytes === undefined) yield piece;
    else yield* base64(bytes);
  }
}

function* base64({ buffer, byteOffset, byteLength }: Uint8Array): Generator<string> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  for (let at = 0; at < byteLength; at += pieceBytes)
    yield bytes.toString('base64', at, Math.min(at + pieceBytes, byteLength));
}
