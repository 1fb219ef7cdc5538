/** A `bytea` parameter whose bytes are in several buffers. Large ones are written to the socket without a copy. */
export class BytesInPieces {
  constructor(readonly pieces: readonly Uint8Array[]) {}
}

/** Smaller pieces are copied into one buffer, which is cheaper than a write for each. */
const minPieceBytes = 16 * 1024;

/** The same bytes in the same order, with adjacent small pieces in one buffer. */
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
