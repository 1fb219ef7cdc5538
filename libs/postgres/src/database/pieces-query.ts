import type { Writable } from 'node:stream';
import pg, { type Connection, type QueryConfig, type QueryResult } from 'pg';

/** A `bytea` parameter whose bytes are in several buffers. Large ones are written to the socket without a copy. */
export class BytesInPieces {
  constructor(readonly pieces: readonly Uint8Array[]) {}
}

/** Smaller pieces are copied into one buffer, which is cheaper than a write for each. */
const minPieceBytes = 16 * 1024;

/** The same bytes in the same order, with adjacent small pieces in one buffer. */
export function* smallTogether(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let small: Uint8Array[] = [];
  for (const piece of pieces) {
    if (piece.length < minPieceBytes) {
      small.push(piece);
      continue;
    }
    if (small.length > 0) yield Buffer.concat(small);
    small = [];
    yield piece;
  }
  if (small.length > 0) yield Buffer.concat(small);
}

interface PatientConfig extends QueryConfig {
  readonly query_timeout?: number;
}

type Callback = (error: Error | null | undefined, result: QueryResult) => void;

interface Binding {
  readonly statement?: string;
  readonly values?: readonly unknown[];
  readonly valueMapper: (value: unknown, index: number) => Buffer | string | null;
}

/** A method of the driver's queries that its types do not declare (pg 8). */
interface Preparing {
  prepare(connection: Connection): void;
}

const { prototype } = pg.Query as unknown as { readonly prototype: Preparing };

/**
 * A query that takes its configuration as it is. The driver would copy it property by property, and make two promises: that
 * costs 5 µs of the 15 that it takes in all.
 */
export class PlainQuery extends pg.Query {
  /** The type of the driver's queries does not declare it (pg 8). */
  declare name?: string;
  readonly query_timeout: number | undefined;

  constructor({ name, text, values, query_timeout }: PatientConfig, callback: Callback) {
    super(text, values, callback as ConstructorParameters<typeof pg.Query>[2]);
    this.name = name;
    this.query_timeout = query_timeout;
  }
}

/**
 * A query with `BytesInPieces` among its parameters.
 *
 * The driver copies parameters into a growing buffer: 100 KB are copied three times and use a megabyte of memory. This
 * query writes the bytes to the socket without a copy.
 */
export class PiecesQuery extends PlainQuery implements Preparing {
  prepare(connection: Connection): void {
    const bind = (binding: Binding): void => writeBind(connection.stream, binding);
    prototype.prepare.call(this, Object.create(connection, { bind: { value: bind } }) as Connection);
  }
}

/** Writes the Bind message (PostgreSQL documentation, "Message Formats") with an unnamed portal and results as text. */
function writeBind(stream: Writable, { statement = '', values = [], valueMapper }: Binding): void {
  const parameters = values.map((value, index) =>
    value instanceof BytesInPieces ? value : parameterOf(valueMapper(value, index)),
  );
  const formats = parameters.map((parameter) => (parameter instanceof BytesInPieces ? 1 : 0));
  const parts = [
    Buffer.from(`\0${statement}\0`),
    int16s(parameters.length, ...formats, parameters.length),
    ...parameters.flatMap(withLength),
    int16s(1, 0),
  ];
  const head = Buffer.alloc(5, 'B');
  head.writeInt32BE(4 + bytesIn(parts), 1);
  for (const part of smallTogether([head, ...parts])) stream.write(part);
}

type Parameter = string | BytesInPieces | null;

function parameterOf(value: Buffer | string | null): Parameter {
  return Buffer.isBuffer(value) ? new BytesInPieces([value]) : value;
}

function withLength(parameter: Parameter): Uint8Array[] {
  if (parameter === null) return [int32(-1)];
  const pieces = typeof parameter === 'string' ? [Buffer.from(parameter)] : parameter.pieces;
  return [int32(bytesIn(pieces)), ...pieces];
}

function bytesIn(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16s(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(2 * values.length);
  values.forEach((value, index) => bytes.writeInt16BE(value, 2 * index));
  return bytes;
}
