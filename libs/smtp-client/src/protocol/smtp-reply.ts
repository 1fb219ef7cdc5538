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
