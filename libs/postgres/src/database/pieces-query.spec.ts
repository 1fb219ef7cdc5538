import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Connection } from 'pg';
import { BytesInPieces, PiecesQuery } from './pieces-query.js';

/** The bytes that the driver's connection sends for a query. */
async function sentBy(QueryClass: typeof pg.Query | typeof PiecesQuery, values: unknown[]): Promise<Buffer> {
  const path = 'pg/lib/connection.js';
  const { default: DriverConnection } = (await import(path)) as {
    default: new (options: object) => Connection;
  };
  const stream = new PassThrough({ highWaterMark: 1024 * 1024 });
  const connection = new DriverConnection({ stream });
  new QueryClass({ name: 'put', text: 'SELECT', values }, () => undefined).submit(connection);
  return stream.read() as Buffer;
}

describe('PiecesQuery', () => {
  it.each([0, 10, 20_000, 200_000])('sends the same bytes as the driver, with pieces of %i bytes', async (length) => {
    const pieces = [1, 2, 3].map((fill) => Buffer.alloc(length, fill));
    const others = [null, 'text', 7, ['a"b', null], Buffer.from([0, 255])];

    const sent = await sentBy(PiecesQuery, [...others, new BytesInPieces(pieces)]);

    expect(sent.equals(await sentBy(pg.Query, [...others, Buffer.concat(pieces)]))).toBe(true);
    expect(sent.includes(Buffer.concat(pieces))).toBe(true);
  });
});
