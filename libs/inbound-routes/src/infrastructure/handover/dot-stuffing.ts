const lineFeed = 0x0a;
const dot = 0x2e;
const crlf = Buffer.from('\r\n');
const oneDot = Buffer.of(dot);

/** Doubles the dots that begin lines (RFC 5321 section 4.5.2), and ends the last line. */
export async function* dotStuffed(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let last = lineFeed;
  for await (const chunk of content) {
    let from = 0;
    for (let at = 0; at < chunk.length;) {
      const before = at === 0 ? last : (chunk[at - 1] as number);
      if (chunk[at] === dot && before === lineFeed) {
        if (at > from) yield chunk.subarray(from, at);
        yield oneDot;
        from = at;
      }
      const next = chunk.indexOf(lineFeed, at);
      at = next < 0 ? chunk.length : next + 1;
    }
    if (from < chunk.length) yield chunk.subarray(from);
    last = chunk.at(-1) ?? last;
  }
  if (last !== lineFeed) yield crlf;
}
