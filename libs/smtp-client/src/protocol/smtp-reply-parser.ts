/** One complete reply (RFC 5321 section 4.2): printable text only, without the codes, one entry per line. */
export class SmtpReply {
  constructor(
    readonly code: number,
    /** Enhanced status code (RFC 2034, RFC 3463) of the last line that has one, such as `5.1.1`. */
    readonly enhancedCode: string | undefined,
    readonly lines: readonly string[],
  ) {}

  get text(): string {
    return this.lines.length === 1 ? (this.lines[0] as string) : this.lines.join(' ');
  }

  /** 2yz: the command succeeded. */
  get isPositive(): boolean {
    return this.code < 300;
  }

  /** 3yz: the server expects more input. */
  get isIntermediate(): boolean {
    return !this.isPositive && !this.isNegative;
  }

  /** 4yz or 5yz: the command was refused. */
  get isNegative(): boolean {
    return this.code >= 400;
  }

  /** For messages to people: `550 5.1.1 No such user`. */
  toString(): string {
    const codes = this.enhancedCode === undefined ? `${this.code}` : `${this.code} ${this.enhancedCode}`;
    return this.text === '' ? codes : `${codes} ${this.text}`;
  }
}

/** The server sent something that is not SMTP, or sent it at the wrong time. */
export class SmtpProtocolError extends Error {}

/** RFC 5321 section 4.5.3.1.5 allows 512 octets; servers write longer ones. The rest of a longer line is dropped. */
const keptLineLength = 2_048;
const maxReplyBytes = 65_536;
const maxReplyLines = 256;

/**
 * Parses replies from bytes as they arrive, split at any position.
 *
 * It is lenient about harmless errors (bare LF, lines over 512 octets, a code without text). It is strict where
 * guessing could pair a reply with the wrong command: a line without a code from 200 to 599, or a code that changes
 * between the lines of one reply, is a protocol error. The memory is bounded, whatever the server sends.
 */
export class SmtpReplyParser {
  #partialLine = '';
  #replyBytes = 0;
  #code = 0;
  #enhancedCode: string | undefined;
  #lines: string[] = [];

  /** Whether the bytes so far end within a reply. */
  get isWithinReply(): boolean {
    return this.#replyBytes > 0;
  }

  /** Reads the first `length` bytes and keeps no reference to `chunk`. Throws `SmtpProtocolError`. */
  push(chunk: Buffer, length: number, onReply: (reply: SmtpReply) => void): void {
    // Latin-1 keeps every byte, so that a character split between two chunks can be restored.
    const text = chunk.toString('latin1', 0, length);
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#count(end + 1 - start);
      const line = this.#partialLine === '' ? text.slice(start, end) : this.#partialLine + text.slice(start, end);
      this.#partialLine = '';
      start = end + 1;
      const reply = this.#takeLine(line.endsWith('\r') ? line.slice(0, -1) : line);
      if (reply !== undefined) onReply(reply);
    }
    if (start < text.length) {
      this.#count(text.length - start);
      this.#partialLine = (this.#partialLine + text.slice(start)).slice(0, keptLineLength);
    }
  }

  #count(bytes: number): void {
    this.#replyBytes += bytes;
    if (this.#replyBytes > maxReplyBytes) {
      throw new SmtpProtocolError(`a reply is longer than ${maxReplyBytes} bytes`);
    }
  }

  #takeLine(line: string): SmtpReply | undefined {
    const code = codeOf(line);
    const separator = line.length > 3 ? line.charCodeAt(3) : space;
    if (code === undefined || (separator !== space && separator !== hyphen)) {
      throw new SmtpProtocolError('a line is not an SMTP reply');
    }
    if (this.#lines.length > 0 && code !== this.#code) {
      throw new SmtpProtocolError('the lines of one reply have different codes');
    }
    this.#code = code;

    const textStart = endOfEnhancedCode(line);
    if (textStart > 4) this.#enhancedCode = line.slice(4, textStart);
    this.#lines.push(printable(line.slice(textStart > 4 ? textStart + 1 : 4, keptLineLength)));
    if (separator === hyphen) {
      if (this.#lines.length >= maxReplyLines) {
        throw new SmtpProtocolError(`a reply has more than ${maxReplyLines} lines`);
      }
      return undefined;
    }

    const reply = new SmtpReply(code, this.#enhancedCode, this.#lines);
    this.#lines = [];
    this.#enhancedCode = undefined;
    this.#replyBytes = 0;
    return reply;
  }
}

const space = 0x20;
const hyphen = 0x2d;
const dot = 0x2e;

function codeOf(line: string): number | undefined {
  if (line.length < 3) return undefined;
  const hundreds = line.charCodeAt(0) - 0x30;
  const tens = line.charCodeAt(1) - 0x30;
  const ones = line.charCodeAt(2) - 0x30;
  const isCode = hundreds >= 2 && hundreds <= 5 && tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;
  return isCode ? hundreds * 100 + tens * 10 + ones : undefined;
}

/**
 * The position after the enhanced status code, or 4 if there is none. Its class must be that of the reply (RFC 2034).
 */
function endOfEnhancedCode(line: string): number {
  if (line.charCodeAt(4) !== line.charCodeAt(0) || line.charCodeAt(5) !== dot) return 4;
  const subject = endOfDigits(line, 6);
  if (subject === 6 || line.charCodeAt(subject) !== dot) return 4;
  const end = endOfDigits(line, subject + 1);
  return end > subject + 1 && (end === line.length || line.charCodeAt(end) === space) ? end : 4;
}

/** The position after at most three digits. */
function endOfDigits(line: string, start: number): number {
  let at = start;
  while (at < start + 3 && line.charCodeAt(at) >= 0x30 && line.charCodeAt(at) <= 0x39) at++;
  return at;
}

/**
 * Decodes UTF-8 (RFC 6531 section 3.7.4.2) and replaces control characters with `?`, since logs and text columns cannot
 * hold them.
 */
function printable(latin1: string): string {
  if (/^[\x20-\x7e]*$/.test(latin1)) return latin1;
  return Buffer.from(latin1, 'latin1')
    .toString('utf8')
    .replace(/[\x00-\x1f\x7f-\x9f]/g, '?');
}
