import { DomainError, ValidationError } from '#kernel';

/*
 * The bytes of a message after DATA, in the order in which they pass here: `DotStuffing` removes the dots of the
 * protocol and finds the end, `GatheredBytes` combines small chunks, and `InspectedContent` checks what is left.
 */

const cr = 0x0d;
const lf = 0x0a;
const dot = 0x2e;

/**
 * Position of the next byte. These are numbers and not an enum because they are used for every byte of every message.
 */
const inLine = 0;
const afterCr = 1;
const lineStart = 2;
/** After a dot at the start of a line. The dot is left out unless it ends the content. */
const afterDot = 3;
/** After a dot and a CR at the start of a line. */
const afterDotCr = 4;

const dotAtStart = Buffer.from('\n.');

interface Unstuffed {
  /** Content without the added dots. It may be the given chunk itself. */
  readonly content: Buffer;
  /** The bytes after the end of the content in the same chunk; undefined while the content continues. */
  readonly rest: Buffer | undefined;
}

/**
 * Removes the transparency dots from the content of DATA and finds its end (RFC 5321 section 4.5.2), which is exactly a
 * line with a single dot between two CRLF. A bare CR or LF does not end a line.
 *
 * Examines each byte once, however the content is cut into chunks, and holds none of it. A chunk without a dot at the
 * start of a line is passed on without a copy, 20 times as fast as byte by byte.
 */
export class DotStuffing {
  private position = lineStart;

  push(chunk: Buffer): Unstuffed {
    if (chunk.length === 0) return { content: chunk, rest: undefined };
    const isSettled = this.position < lineStart || (this.position === lineStart && chunk[0] !== dot);
    // The first byte may be the LF of a CRLF that began in the previous chunk.
    const first = isSettled ? chunk.indexOf(dotAtStart) : 0;
    if (first < 0) {
      this.position = this.positionAt(chunk, chunk.length);
      return { content: chunk, rest: undefined };
    }
    return this.copyFrom(chunk, isSettled ? first + 1 : 0);
  }

  /** The position of the byte at `end`, if no dot before it is at the start of a line. */
  private positionAt(chunk: Buffer, end: number): number {
    if (end === 0) return this.position;
    const last = chunk[end - 1];
    if (last === cr) return afterCr;
    const isBehindCr = end > 1 ? chunk[end - 2] === cr : this.position === afterCr;
    return last === lf && isBehindCr ? lineStart : inLine;
  }

  private copyFrom(chunk: Buffer, start: number): Unstuffed {
    // One more byte, because a CR of the previous chunk may turn out to be content.
    const content = Buffer.allocUnsafe(chunk.length + 1);
    content.set(chunk.subarray(0, start));
    let position = this.positionAt(chunk, start);
    let length = start;
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (position === lineStart && byte === dot) {
        position = afterDot;
        continue;
      }
      if (position === afterDot && byte === cr) {
        position = afterDotCr;
        continue;
      }
      if (position === afterDotCr) {
        if (byte === lf) {
          this.position = lineStart;
          return { content: content.subarray(0, length), rest: chunk.subarray(at + 1) };
        }
        content[length++] = cr;
      }
      content[length++] = byte;
      if (byte === cr) position = afterCr;
      else position = byte === lf && position === afterCr ? lineStart : inLine;
    }
    this.position = position;
    return { content: content.subarray(0, length), rest: undefined };
  }
}

/** Chunks of at least this size are passed on unchanged. */
const minBytes = 4 * 1024;
const blockBytes = 16 * 1024;

/**
 * Combines small chunks. A client may send a message byte by byte, and a list of such chunks costs some hundred bytes
 * for each of them.
 */
export class GatheredBytes {
  private block: Uint8Array | undefined;
  private length = 0;

  *add(chunk: Uint8Array): Generator<Uint8Array> {
    if (chunk.length >= minBytes) {
      yield* this.rest();
      yield chunk;
      return;
    }
    if (this.length + chunk.length > (this.block?.length ?? 0)) {
      const isFirst = this.block === undefined;
      yield* this.rest();
      this.block = new Uint8Array(isFirst ? minBytes : blockBytes);
    }
    this.block?.set(chunk, this.length);
    this.length += chunk.length;
  }

  /** The bytes that have not been passed on yet. */
  *rest(): Generator<Uint8Array> {
    const { block, length } = this;
    this.length = 0;
    this.block = undefined;
    if (block !== undefined && length > 0) yield block.subarray(0, length);
  }
}

const maxHeaderLength = 256 * 1024;
/** Each line is examined again when the message is finished and signed: 10,000 lines take 30 ms. */
const maxHeaderLines = 10_000;
/** Bytes of a line that are examined one by one. */
const shortLine = 8;

/**
 * A CR or LF that is not part of a CRLF. Such content is refused and not repaired: repairing breaks signatures, and
 * passing it on enables SMTP smuggling (a server that takes LF.LF for the end reads the rest as another message).
 */
export class BareLineBreakError extends ValidationError {
  constructor() {
    super('The message has a CR or LF that is not part of a CRLF (RFC 5321 section 2.3.8).');
  }
}

export class HeaderTooLargeError extends DomainError {
  constructor() {
    super('too_large', 'validation_error', 'The header of the message is larger than 256 KB or 10,000 lines.');
  }
}

export interface ContentLimit {
  readonly bytes: number;
  readonly exceeded: () => Error;
}

/**
 * The bytes of one message as they arrive: first its header, then everything from the start. Every byte is examined
 * once as it arrives. Holds the header and nothing of the body.
 */
export class InspectedContent {
  private readonly source: AsyncIterator<Uint8Array>;
  private readonly head: Uint8Array[] = [];
  private headLength = 0;
  private size = 0;
  private last = 0;
  private ended = false;

  constructor(
    chunks: AsyncIterable<Uint8Array>,
    private readonly limit: ContentLimit,
  ) {
    this.source = chunks[Symbol.asyncIterator]();
  }

  /** The bytes up to the empty line that ends the header, or all bytes if there is none. */
  async header(): Promise<Uint8Array> {
    let lineBreaks = 1;
    let lines = 0;
    for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) {
      this.head.push(chunk);
      for (let at = 0; at < chunk.length; at++) {
        if (chunk[at] === lf) {
          lineBreaks++;
          if (++lines > maxHeaderLines) throw new HeaderTooLargeError();
        } else if (chunk[at] !== cr) lineBreaks = 0;
        if (lineBreaks === 2) return this.headUpTo(this.headLength + at + 1);
      }
      this.headLength += chunk.length;
      if (this.headLength > maxHeaderLength) throw new HeaderTooLargeError();
    }
    return this.headUpTo(this.headLength);
  }

  /** All bytes, including those that `header` has read. Can be read once. */
  async *all(): AsyncGenerator<Uint8Array> {
    yield* this.head.splice(0);
    for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) yield chunk;
  }

  /** Stops reading the source, which may have more bytes. */
  async close(): Promise<void> {
    await this.source.return?.();
  }

  private headUpTo(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of this.head) {
      const part = chunk.subarray(0, length - at);
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  private async next(): Promise<Uint8Array | undefined> {
    if (this.ended) return undefined;
    const { done, value } = (await this.source.next()) as IteratorResult<Uint8Array, undefined>;
    if (done === true) {
      this.ended = true;
      if (this.last === cr) throw new BareLineBreakError();
      return undefined;
    }
    this.inspect(value);
    return value;
  }

  private inspect(chunk: Uint8Array): void {
    this.size += chunk.length;
    if (this.size > this.limit.bytes) throw this.limit.exceeded();
    if (chunk.length === 0) return;
    if ((this.last === cr) !== (chunk[0] === lf)) throw new BareLineBreakError();
    for (let at = chunk[0] === lf ? 1 : 0; at < chunk.length;) at = lineEnd(chunk, at);
    this.last = chunk[chunk.length - 1] as number;
  }
}

/**
 * The start of the next line: after the CRLF that ends this one, or the end of the chunk. Native searches take a fifth
 * of the time of a loop over all bytes, but many times as long for short lines, so those are left to the loop.
 */
function lineEnd(chunk: Uint8Array, start: number): number {
  const shortEnd = Math.min(start + shortLine, chunk.length);
  for (let at = start; at < shortEnd; at++) {
    const byte = chunk[at];
    if (byte === lf) throw new BareLineBreakError();
    if (byte === cr) return afterCrLf(chunk, at);
  }
  const end = chunk.indexOf(cr, shortEnd);
  const bare = chunk.indexOf(lf, shortEnd);
  if (bare >= 0 && bare !== end + 1) throw new BareLineBreakError();
  return end < 0 ? chunk.length : afterCrLf(chunk, end);
}

/** A CR at the very end must be completed by the next chunk. */
function afterCrLf(chunk: Uint8Array, crAt: number): number {
  if (crAt + 1 < chunk.length && chunk[crAt + 1] !== lf) throw new BareLineBreakError();
  return crAt + 2;
}
