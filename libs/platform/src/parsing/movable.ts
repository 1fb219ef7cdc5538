/** A view may be moved together with its buffer if the buffer has at most this many other bytes. */
const maxSlackBytes = 64 * 1024;

/**
 * The same bytes in a buffer that can be transferred: their own buffer, or a copy where most of that buffer is other
 * data.
 */
export function movable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  // Small Buffers share a pool that must stay where it is.
  const isOwn = buffer instanceof ArrayBuffer && length > maxSlackBytes;
  const slack = buffer.byteLength - length;
  return isOwn && slack <= Math.max(maxSlackBytes, length)
    ? new Uint8Array(buffer, byteOffset, length)
    : Uint8Array.from(bytes);
}
