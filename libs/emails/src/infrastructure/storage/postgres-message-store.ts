import { idsOfDay, NotFoundError, Transaction } from '#kernel';
import { BytesInPieces, longLimits, Database, Statement, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { MessageStore, maxPipelinedPutBytes, StoredMessage } from '../../application/ports/message-store.port.js';

/**
 * The bytes that fit into a row that fills a page (`toast_tuple_target` of the partitions). PostgreSQL would cut larger
 * values into pieces of 2 KB, each with an index entry: 0.64 ms of its CPU for 100 KB, against 0.40 ms for these rows.
 */
const chunkSize = 8_080;
/** Bytes that an arriving message holds in memory at most, so that hundreds of slow senders do not fill it. */
const streamedChunkSize = 256 * 1024;
/** Rows per statement of a read in pieces: a megabyte, which is what a reader holds in memory. */
const rowsPerRead = 128;
/** Bytes sent with one statement at most, so that ten large messages together do not make one huge parameter. */
const statementSize = maxPipelinedPutBytes;

/** Consecutive bytes of one message, with the number of the first row that stores them. */
interface Run {
  readonly id: string;
  readonly chunk: number;
  readonly bytes: Uint8Array;
}

/**
 * Stores messages in the partitioned table `message_contents`, in the accepting transaction.
 *
 * All bytes of a statement are sent from their buffers as one binary parameter, which PostgreSQL splits. An array of
 * bytea would have to be sent as escaped text of twice the length.
 */
@Injectable()
export class PostgresMessageStore extends MessageStore {
  readonly joinsTransaction = true;

  constructor(private readonly database: Database) {
    super();
  }

  async put(messages: readonly StoredMessage[], transaction?: Transaction): Promise<void> {
    if (transaction === undefined) return this.database.run((own) => this.put(messages, own));
    const statements = statementsOf(transaction);
    // One statement after the other: each copies its bytes, and 40 MB should not be in memory three times.
    for (const runs of statementBatches(messages)) await statements.execute(insertion(runs));
  }

  /** Commits each piece separately, so that no transaction stays open while a slow sender is sending. */
  override async write(id: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    let chunk = 0;
    try {
      for await (const bytes of piecesOf(chunks, streamedChunkSize)) {
        await this.database.execute(insertion([{ id, chunk, bytes }]));
        chunk += rowsFor(bytes);
      }
    } catch (error) {
      if (chunk > 0) await this.database.execute({ text: 'DELETE FROM message_contents WHERE id = $1', values: [id] });
      throw error;
    }
  }

  async get(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<{ id: string; bytes: Buffer }>({
      name: 'message-contents-get',
      text: `SELECT c.id, c.bytes FROM unnest($1::uuid[]) AS wanted (id) JOIN message_contents c USING (id)
             ORDER BY c.id, c.chunk`,
      values: [ids],
    });
    const chunks = new Map<string, Buffer[]>();
    for (const row of rows) {
      const list = chunks.get(row.id);
      if (list === undefined) chunks.set(row.id, [row.bytes]);
      else list.push(row.bytes);
    }
    return new Map(
      [...chunks].map(([id, list]) => [id, list.length === 1 ? (list[0] as Buffer) : Buffer.concat(list)]),
    );
  }

  /** Runs one statement for each piece, so that no transaction stays open while a slow reader is reading. */
  override async *read(id: string): AsyncGenerator<Uint8Array> {
    for (let chunk = 0; ; chunk += rowsPerRead) {
      const rows = await this.database.query<{ bytes: Buffer }>({
        // Not a named statement: a plan made while the day's partition was empty would read the whole partition for
        // each piece.
        text: `SELECT bytes FROM message_contents WHERE id = $1 AND chunk >= $2 AND chunk < $3 ORDER BY chunk`,
        // Reads one more row than it returns, to know whether there are more.
        values: [id, chunk, chunk + rowsPerRead + 1],
      });
      if (rows.length === 0 && chunk > 0) throw new NotFoundError('The rest of the message');
      if (rows.length > 0) yield Buffer.concat(rows.slice(0, rowsPerRead).map(({ bytes }) => bytes));
      if (rows.length <= rowsPerRead) return;
    }
  }

  override async overwriteHead(id: string, head: Uint8Array): Promise<void> {
    await this.database.execute({
      text: `UPDATE message_contents c SET bytes = overlay(c.bytes PLACING substring($2::bytea FROM r.first FOR r.length) FROM 1)
             FROM (SELECT chunk, length(bytes) AS length, (sum(length(bytes)) OVER (ORDER BY chunk) - length(bytes) + 1)::int AS first
                   FROM message_contents WHERE id = $1) r
             WHERE c.id = $1 AND c.chunk = r.chunk AND r.first <= length($2::bytea)`,
      values: [id, Buffer.from(head)],
    });
  }

  async remove(ids: readonly string[]): Promise<void> {
    // One statement for each, which reads one partition only.
    for (const id of ids)
      await this.database.execute({ text: 'DELETE FROM message_contents WHERE id = $1', values: [id] });
  }

  /** Usually has nothing to remove: retention drops the day's partition first, in constant time. */
  async removeDay(moment: Date): Promise<void> {
    await this.database.execute({
      text: 'DELETE FROM message_contents WHERE id >= $1 AND id < $2',
      values: [...idsOfDay(moment)],
      limits: longLimits,
    });
  }
}

/** Joins the bytes into pieces of about this size; at least one piece. */
async function* piecesOf(chunks: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let length = 0;
  let given = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    length += chunk.length;
    if (length < size) continue;
    yield Buffer.concat(held, length);
    given++;
    held = [];
    length = 0;
  }
  if (length > 0 || given === 0) yield Buffer.concat(held, length);
}

function rowsFor({ length }: Uint8Array): number {
  return Math.ceil(length / chunkSize);
}

/** Empty content is stored as one empty row, so that it can be found. */
function insertion(runs: readonly Run[]): Statement {
  const offsets: number[] = [];
  let offset = 1;
  for (const { bytes } of runs) {
    offsets.push(offset);
    offset += bytes.length;
  }
  return {
    name: 'message-contents-put',
    text: `INSERT INTO message_contents (id, chunk, bytes)
           SELECT id, chunk + row, substring($1::bytea FROM first + row * ${chunkSize} FOR least(${chunkSize}, length - row * ${chunkSize}))
           FROM unnest($2::uuid[], $3::int[], $4::int[], $5::int[]) AS run (id, chunk, first, length),
                generate_series(0, greatest(length - 1, 0) / ${chunkSize}) AS row`,
    values: [
      new BytesInPieces(runs.map(({ bytes }) => bytes)),
      runs.map(({ id }) => id),
      runs.map(({ chunk }) => chunk),
      offsets,
      runs.map(({ bytes }) => bytes.length),
    ],
  };
}

/** Groups runs of whole rows, up to `statementSize` bytes for one statement. */
function* statementBatches(messages: readonly StoredMessage[]): Generator<Run[]> {
  let batch: Run[] = [];
  let room = statementSize;
  for (const { id, bytes } of messages) {
    let at = 0;
    do {
      if (room < Math.min(chunkSize, bytes.length - at) && batch.length > 0) {
        yield batch;
        batch = [];
        room = statementSize;
      }
      const run = bytes.subarray(at, at + Math.max(chunkSize, room - (room % chunkSize)));
      batch.push({ id, chunk: at / chunkSize, bytes: run });
      room -= run.length;
      at += run.length;
    } while (at < bytes.length);
  }
  if (batch.length > 0) yield batch;
}
