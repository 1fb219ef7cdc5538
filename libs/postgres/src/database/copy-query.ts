import pg from 'pg';
import type { Connection, QueryResult } from 'pg';

interface CopyConfig {
  /** `COPY table (columns) FROM STDIN (FORMAT binary)`. */
  readonly text: string;
  readonly query_timeout: number;
}

/** Bytes of one CopyData message, so that a large copy is not one large message. */
const pieceBytes = 256 * 1024;

/**
 * A `COPY … FROM STDIN` on a pipelined connection, for which no library exists: the driver refuses other classes of
 * queries there. Statements may be sent before it, but none until it has ended: the server would read them as rows.
 */
export class CopyQuery extends pg.Query {
  readonly query_timeout: number;

  constructor(
    config: CopyConfig,
    private readonly copied: Uint8Array,
    callback: (error: Error | null | undefined, result: QueryResult) => void,
  ) {
    super(config, undefined, callback as ConstructorParameters<typeof pg.Query>[2]);
    this.query_timeout = config.query_timeout;
  }

  /**
   * Where the server refuses a row, it skips the messages that still come (PostgreSQL documentation, "COPY
   * Operations").
   */
  handleCopyInResponse({ stream }: Connection): void {
    stream.cork();
    for (let at = 0; at < this.copied.length; at += pieceBytes) {
      const piece = this.copied.subarray(at, at + pieceBytes);
      stream.write(header('d', piece.length));
      stream.write(piece);
    }
    stream.write(header('c', 0));
    stream.uncork();
  }
}

function header(kind: string, length: number): Buffer {
  const bytes = Buffer.alloc(5, kind);
  bytes.writeInt32BE(4 + length, 1);
  return bytes;
}
