/** A `bytea` parameter whose bytes lie in several places. Large ones go to the socket from where they lie, without a copy. */
export class BytesInPieces {
  constructor(readonly pieces: readonly Uint8Array[]) {}
}

/** Pieces below this size are copied together: a write of their own would cost more. */
const minPieceBytes = 16 * 1024;

/** The same bytes in order, small neighbours in one buffer. */
export function* smallTogether(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let small: Uint8Array[] = [];
  for (const piece of pieces) {
    if (piece.length < minPieceBytes) {
      small.push(piece);
      continue;
    }
    if (small.length > 0) yield Buffer.concat(small);
    small = [];
    yield piece;
  }
  if (small.length > 0) yield Buffer.concat(small);
}
