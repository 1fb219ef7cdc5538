import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { Database, longLimits } from '#postgres/database';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let own: TestDatabase;
let database: Database;

beforeAll(async () => {
  own = await createTestDatabase();
  database = new Database(new Pool({ connectionString: own.url, max: 3 }));
  await database.execute({ text: 'CREATE TABLE notes (note text PRIMARY KEY)' });
});

afterAll(async () => {
  await database.pool.end();
  await own.drop();
});

beforeEach(() => database.execute({ text: 'DELETE FROM notes' }));

const insertion = (note: string) => ({ text: 'INSERT INTO notes VALUES ($1)', values: [note] });

async function notes(): Promise<string[]> {
  return (await database.query<{ note: string }>({ text: 'SELECT note FROM notes ORDER BY note' })).map(
    ({ note }) => note,
  );
}

describe('a transaction', () => {
  it('is committed when its work is done', async () => {
    await database.run((transaction) => transaction.execute(insertion('a')));

    expect(await notes()).toEqual(['a']);
  });

  it('is committed if its commit is sent before its last statements have completed', async () => {
    let refused: Promise<unknown> | undefined;
    const count = await database.runPipelined(async (transaction) => {
      const send = async () => {
        const written = transaction.execute(insertion('a'));
        // The commit was sent in between.
        refused = Promise.resolve().then(() => transaction.execute(insertion('late')));
        await expect(refused).rejects.toThrow('after the end');
        return written;
      };
      return { send };
    });

    expect(refused).toBeDefined();
    expect(count).toBe(1);
    expect(await notes()).toEqual(['a']);
  });

  it('waits with its commit for last statements whose results may refuse it', async () => {
    const run = database.runPipelined(async (transaction) => ({
      mayRefuse: true,
      send: async () => {
        await transaction.execute(insertion('a'));
        throw new Error('too many');
      },
    }));

    await expect(run).rejects.toThrow('too many');
    expect(await notes()).toEqual([]);
  });

  it.each([
    ['another statement', ['a', 'a', 'b']],
    ['the commit', ['a', 'b', 'a']],
  ])('is rolled back if a statement fails after %s was sent behind it', async (_, given) => {
    const run = database.runPipelined(async (transaction) => ({
      send: () => Promise.allSettled(given.map((note) => transaction.execute(insertion(note)))),
    }));

    await expect(run).rejects.toThrow('rolled back');
    expect(await notes()).toEqual([]);
    await database.run((transaction) => transaction.execute(insertion('later')));
    expect(await notes()).toEqual(['later']);
  });

  it('rejects with the first failure, even if the work notices a later one before it', async () => {
    const noticedLate = async (sent: Promise<number>): Promise<number> => {
      try {
        return await sent;
      } finally {
        await new Promise(setImmediate);
      }
    };
    const run = database.run(async (transaction) => {
      await transaction.execute(insertion('a'));
      await Promise.all([noticedLate(transaction.execute(insertion('a'))), transaction.execute(insertion('b'))]);
    });

    await expect(run).rejects.toMatchObject({ code: '23505', table: 'notes' });
    expect(await notes()).toEqual([]);
  });

  it('refuses a statement after its commit', async () => {
    const run = database.run(async (transaction) => {
      void transaction.commit();
      await transaction.execute(insertion('late'));
    });

    await expect(run).rejects.toThrow('after the end');
    expect(await notes()).toEqual([]);
  });

  it('refuses a statement of work that goes on after a part of it has failed', async () => {
    let goOn = (): void => undefined;
    let late: Promise<unknown> | undefined;
    const run = database.run(async (transaction) => {
      late = new Promise<void>((resolve) => (goOn = resolve)).then(() => transaction.execute(insertion('late')));
      throw new Error('a part failed');
    });
    await expect(run).rejects.toThrow('a part failed');
    goOn();
    await expect(late).rejects.toThrow('after the end');
    expect(await notes()).toEqual([]);
  });
});

describe('the settings of a transaction', () => {
  const shown = {
    text: `SELECT current_setting('synchronous_commit') AS commit, current_setting('statement_timeout') AS statement,
                  current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle`,
  };
  const ordinary = { commit: 'on', statement: '15s', lock: '3s', idle: '30s' };

  beforeAll(async () => {
    // As behind a pooler: the sessions have the settings that another client left in them.
    await database.pool.query('SELECT 1');
    database.pool.on('connect', (client) => {
      void client.query(`SET synchronous_commit = off; SET statement_timeout = 0; SET lock_timeout = 0`);
    });
    await Promise.all(Array.from({ length: 3 }, () => database.query({ text: 'SELECT pg_sleep(0.05)' })));
  });

  it('do not depend on the settings of its session', async () => {
    const seen = await Promise.all(
      Array.from({ length: 6 }, () => database.run(async (transaction) => (await transaction.query(shown))[0])),
    );

    expect(seen).toEqual(Array(6).fill(ordinary));
  });

  it('apply to a single statement without a transaction, and end with it', async () => {
    expect(await database.query(shown)).toEqual([ordinary]);
    expect(await database.query({ ...shown, limits: longLimits })).toMatchObject([{ statement: '10min', lock: '2s' }]);
    expect(await database.query(shown)).toEqual([ordinary]);
  });

  it('end a statement that waits too long for a lock, and its transaction', async () => {
    const limits = { ...longLimits, lockMs: 50 };
    await database.execute(insertion('a'));
    await database.run(async (holder) => {
      await holder.execute({ text: 'UPDATE notes SET note = note' });
      const waiter = database.run(async (transaction) => {
        await transaction.execute(insertion('b'));
        await transaction.execute({ text: 'UPDATE notes SET note = note' });
      }, limits);
      await expect(waiter).rejects.toMatchObject({ code: '55P03' });
    });

    expect(await notes()).toEqual(['a']);
  });

  it('end a statement that takes too long', async () => {
    const slow = database.query({ text: 'SELECT pg_sleep(10)', limits: { ...longLimits, statementMs: 50 } });

    await expect(slow).rejects.toMatchObject({ code: '57014' });
  });

  describe('with long limits', () => {
    let impatient: Database;

    beforeAll(() => {
      impatient = new Database(new Pool({ connectionString: own.url, max: 1, query_timeout: 200, pipeline: true }));
    });

    afterAll(() => impatient.pool.end());

    it('apply to a commit that is sent behind a long statement', async () => {
      const text = `WITH slept AS MATERIALIZED (SELECT pg_sleep(0.5)) INSERT INTO notes SELECT 'a' FROM slept`;
      expect(await impatient.execute({ text, limits: longLimits })).toBe(1);
      expect(await notes()).toEqual(['a']);
    });

    it('apply to the rollback of work that fails during a long statement', async () => {
      const connection = await impatient.pool.connect();
      const [{ pid }] = (await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows as [
        { pid: number },
      ];
      connection.release();
      const failing = impatient.run(async (transaction) => {
        void transaction.query({ text: 'SELECT pg_sleep(0.5)' }).catch(() => undefined);
        throw new Error('the work failed');
      }, longLimits);

      await expect(failing).rejects.toThrow('the work failed');
      // The pool still uses the same connection.
      expect(await impatient.query({ text: 'SELECT pg_backend_pid() AS pid' })).toEqual([{ pid }]);
    });
  });
});

describe('connections', () => {
  it('are not all held by one kind of work', async () => {
    const other = new Database(database.pool);
    const sleeping = Array.from({ length: 6 }, () => database.query({ text: 'SELECT pg_sleep(0.5)' }));

    const answered = other.query({ text: 'SELECT 1' }).then(() => 'the other');
    expect(await Promise.race([answered, ...sleeping.map((query) => query.then(() => 'a sleeping one'))])).toBe(
      'the other',
    );

    await Promise.all(sleeping);
  });
});
