/** Bytes that come in pieces, in one buffer of their own. Those of the expected size are copied once. */
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
