/** A view may be moved with the buffer it lies in, if that holds little else. */
const maxSlackBytes = 64 * 1024;

/** The same bytes in a buffer that can be given away: the one they are in, unless most of it is something else. */
export function movable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  // Small Buffers share a pool that must stay where it is.
  const isOwn = buffer instanceof ArrayBuffer && length > maxSlackBytes;
  const slack = buffer.byteLength - length;
  return isOwn && slack <= Math.max(maxSlackBytes, length)
    ? new Uint8Array(buffer, byteOffset, length)
    : Uint8Array.from(bytes);
}
