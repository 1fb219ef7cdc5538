const quote = 0x22;
const backslash = 0x5c;
/** Bytes that are checked one by one before `indexOf` is used, because escapes are often close together. */
const nearBytes = 64;

/** Position of the next quote or backslash, or the length of the block if there is none. */
export function nextInString(block: Buffer, start: number): number {
  const near = Math.min(block.length, start + nearBytes);
  let at = start;
  for (; at < near; at++) if (block[at] === quote || block[at] === backslash) return at;
  if (at === block.length) return at;
  const end = at + 8 * nearBytes;
  const found = nearest(block.subarray(at, end));
  // A string without a quote or backslash for this long is probably the content of a file, and is searched in larger steps.
  if (found >= 0) return at + found;
  const farther = end >= block.length ? -1 : nearest(block.subarray(end));
  return farther < 0 ? block.length : end + farther;
}

function nearest(block: Buffer): number {
  const quoteAt = block.indexOf(quote);
  const backslashAt = (quoteAt < 0 ? block : block.subarray(0, quoteAt)).indexOf(backslash);
  return backslashAt < 0 ? quoteAt : backslashAt;
}

/** The last position from `start` to `end` that is not within a UTF-8 character. */
export function endOfWhole(block: Buffer, start: number, end: number): number {
  for (let at = end - 1; at >= Math.max(start, end - 3); at--) {
    const byte = block[at] as number;
    if (byte < 0x80) return end;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return at + length > end ? at : end;
  }
  return end;
}
