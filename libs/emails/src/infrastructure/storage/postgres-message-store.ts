import { idsOfDay, Transaction } from '#kernel';
import { Database, Statement, statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { MessageStore, StoredMessage } from '../../application/ports/message-store.port.js';

/** 512 KB: a 40 MB message becomes 80 rows, and no value comes near PostgreSQL's limits. */
const chunkSize = 512 * 1024;
/** What a message that is still arriving holds in memory at most: hundreds of slow senders must not add up to much. */
const streamedChunkSize = 256 * 1024;
/** Bytes sent with one statement at most, so that ten large messages at once do not make one huge parameter. */
const statementSize = 2 * 1024 * 1024;

interface Chunk {
  readonly id: string;
  readonly chunk: number;
  readonly bytes: Uint8Array;
}

/**
 * Message bytes in the partitioned table `message_contents`, written with the accepting transaction.
 *
 * All bytes of a statement travel as one binary parameter that PostgreSQL cuts up: an array of bytea would have to be
 * sent as text, twice as long and escaped.
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
    // All are sent before the first has answered: what follows in the transaction stays behind them, in order.
    await Promise.all([...statementBatches(messages)].map((chunks) => statements.execute(insertion(chunks))));
  }

  /** Each piece is a row that is committed by itself: no transaction stays open while a slow sender is sending. */
  override async write(id: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    let chunk = 0;
    try {
      for await (const bytes of piecesOf(chunks, streamedChunkSize)) {
        await this.database.execute(insertion([{ id, chunk: chunk++, bytes }]));
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

  /** Retention drops the day's partition first, in constant time, and leaves nothing to be removed here. */
  async removeDay(moment: Date): Promise<void> {
    await this.database.execute({
      text: 'DELETE FROM message_contents WHERE id >= $1 AND id < $2',
      values: [...idsOfDay(moment)],
    });
  }
}

/** The same bytes in pieces of about this size. Empty content is one empty piece: what is stored can be found. */
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

function insertion(chunks: readonly Chunk[]): Statement {
  const offsets: number[] = [];
  let offset = 1;
  for (const { bytes } of chunks) {
    offsets.push(offset);
    offset += bytes.length;
  }
  return {
    name: 'message-contents-put',
    text: `INSERT INTO message_contents (id, chunk, bytes)
           SELECT id, chunk, substring($1::bytea FROM first FOR length)
           FROM unnest($2::uuid[], $3::int[], $4::int[], $5::int[]) AS piece (id, chunk, first, length)`,
    values: [
      Buffer.concat(chunks.map(({ bytes }) => bytes)),
      chunks.map(({ id }) => id),
      chunks.map(({ chunk }) => chunk),
      offsets,
      chunks.map(({ bytes }) => bytes.length),
    ],
  };
}

function* statementBatches(messages: readonly StoredMessage[]): Generator<Chunk[]> {
  let batch: Chunk[] = [];
  let size = 0;
  for (const { id, bytes } of messages) {
    for (let at = 0, chunk = 0; at < bytes.length || chunk === 0; at += chunkSize, chunk++) {
      const piece = bytes.subarray(at, at + chunkSize);
      if (size + piece.length > statementSize && batch.length > 0) {
        yield batch;
        batch = [];
        size = 0;
      }
      batch.push({ id, chunk, bytes: piece });
      size += piece.length;
    }
  }
  if (batch.length > 0) yield batch;
}
