import { expect, it } from '@jest/globals';
import { isDatabaseAway } from '#kernel';
import type { Pool } from 'pg';
import type { Repository } from 'typeorm';
import { Database } from './database.js';

it('a connection to a pooler that breaks while the ORM reads counts as a database that is away', async () => {
  const pool = { on: () => undefined, options: { max: 4 } } as unknown as Pool;
  const runner = {
    isReleased: false,
    connect: async () => undefined,
    query: async () => undefined,
    manager: { withRepository: (rows: unknown) => rows },
    release: async () => undefined,
  };
  const rows = { manager: { connection: { createQueryRunner: () => runner } } } as unknown as Repository<object>;

  const reading = new Database(pool, { prepares: false, isLimited: false }).readWithOrm(rows, async () => {
    runner.isReleased = true;
    throw new Error('Query runner already released. Cannot run queries anymore.');
  });

  const error = await reading.catch((reason: unknown) => reason);
  expect(isDatabaseAway(error)).toBe(true);
});
