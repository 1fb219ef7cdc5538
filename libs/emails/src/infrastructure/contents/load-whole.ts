/** Reads all pieces into one separate buffer. Content of the expected size is copied only once. */
export async function loadWhole(pieces: AsyncIterable<Uint8Array>, expectedBytes: number): Promise<Buffer> {
  let whole = Buffer.allocUnsafeSlow(expectedBytes);
  let length = 0;
  for await (const piece of pieces) {
    if (length + piece.length > whole.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length + piece.length, 2 * whole.length));
      whole.copy(larger, 0, 0, length);
      whole = larger;
    }
    whole.set(piece, length);
    length += piece.length;
  }
  return whole.subarray(0, length);
}
