import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Client, Pool } from 'pg';
import { emailEventLog, emailEventPositions, LoggedEmailEvent } from '#emails';
import { newId } from '#kernel';
import { Database, DatabaseTransaction } from '#postgres/database';
import { EventConsumer } from '#postgres/events';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { until } from '../support/runner/until.js';

let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
let writers: Client[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 8 });
  database = new Database(pool);
  await pool.query(emailEventPositions);
  await pool.query('CREATE TABLE handled (no serial, consumer text, email_id uuid, seq integer)');
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

beforeEach(async () => {
  writers = await Promise.all([1, 2, 3].map(() => writer()));
  await pool.query('TRUNCATE emails, email_events, event_consumers, handled');
});

afterEach(() => Promise.all(writers.map((each) => each.end())));

async function writer(): Promise<Client> {
  const client = new Client({ connectionString: testDatabase.url });
  await client.connect();
  return client;
}

async function addEmail(): Promise<string> {
  const id = newId();
  await pool.query(
    `INSERT INTO emails (id, team_id, domain_id, api_key_id, created_at, size, event_seq, last_event, message_id, "from", "to",
                         subject)
     VALUES ($1, $1, $1, $1, now(), 1, 0, 'queued', '<a@b.test>', 'a@b.test', '{c@d.test}', 's')`,
    [id],
  );
  return id;
}

/** As in the program: the number comes from the row of the email, which stays locked until the commit. */
async function writeEvent(client: Client, emailId: string): Promise<void> {
  await client.query(
    `WITH numbered AS (UPDATE emails SET event_seq = event_seq + 1 WHERE id = $1 RETURNING id, event_seq)
     INSERT INTO email_events (email_id, seq, created_at, type) SELECT id, event_seq, now(), 'email.sent' FROM numbered`,
    [emailId],
  );
}

async function note(
  name: string,
  events: readonly LoggedEmailEvent[],
  transaction: DatabaseTransaction,
): Promise<number | void> {
  await transaction.execute({
    text: 'INSERT INTO handled (consumer, email_id, seq) SELECT $1, * FROM unnest($2::uuid[], $3::int[])',
    values: [name, events.map(({ emailId }) => emailId), events.map(({ seq }) => seq)],
  });
}

function consumer(name: string, handle = note, maxBatch = 3): EventConsumer<LoggedEmailEvent> {
  const options = { name, log: emailEventLog, maxBatch };
  return new EventConsumer(database, {
    ...options,
    handle: (events, transaction) => handle(name, events, transaction),
  });
}

async function handledBy(name: string): Promise<string[]> {
  const { rows } = await pool.query<{ event: string }>(
    `SELECT email_id || ' ' || seq AS event FROM handled WHERE consumer = $1 ORDER BY no`,
    [name],
  );
  return rows.map(({ event }) => event);
}

/** Steps until these events were handled. Transactions of other tests on this server may delay them. */
async function handles(each: EventConsumer<LoggedEmailEvent>, name: string, events: readonly string[]): Promise<void> {
  await until(async () => {
    await each.step();
    return (await handledBy(name)).length >= events.length;
  });
  expect(await handledBy(name)).toEqual(events);
}

const steps = async (each: EventConsumer<LoggedEmailEvent>, count: number): Promise<void> => {
  for (let step = 0; step < count; step++) await each.step();
};

/** Lets the lease expire, as if its holder had died. */
const expireLease = () => pool.query(`UPDATE event_consumers SET held_until = now() - interval '1 second'`);

it('an event that commits after a later one is not skipped', async () => {
  const [early, late] = [await addEmail(), await addEmail()];
  const [slow, quick] = writers as [Client, Client];
  const reader = consumer('reader');
  await slow.query('BEGIN');
  await writeEvent(slow, early);
  await writeEvent(quick, late);

  await steps(reader, 5);
  expect(await handledBy('reader')).toEqual([]);

  await slow.query('COMMIT');
  await handles(reader, 'reader', [`${early} 1`, `${late} 1`]);
});

it('the events of an email are handled in order if the older transaction writes last while a third one is running', async () => {
  const [email, other] = [await addEmail(), await addEmail()];
  const [older, younger, running] = writers as [Client, Client, Client];
  const reader = consumer('reader');
  // Transaction ids in this order: older, running, younger.
  for (const client of [older, running]) await client.query('BEGIN; SELECT pg_current_xact_id()');
  await writeEvent(younger, email);
  await writeEvent(older, email);
  await older.query('COMMIT');
  await steps(reader, 5);
  await writeEvent(running, other);
  await running.query('COMMIT');

  await handles(reader, 'reader', [`${email} 1`, `${email} 2`, `${other} 1`]);
});

it('a handler that stops early gets the others next', async () => {
  const email = await addEmail();
  for (let event = 0; event < 7; event++) await writeEvent(writers[0] as Client, email);
  const all = Array.from({ length: 7 }, (_, index) => `${email} ${index + 1}`);
  const sizes: number[] = [];
  const reader = consumer(
    'reader',
    async (name, events, transaction) => {
      sizes.push(events.length);
      await note(name, events.slice(0, 2), transaction);
      return Math.min(2, events.length);
    },
    5,
  );
  await handles(reader, 'reader', all);
  expect(sizes.at(-1)).toBe(1);
});

it('a batch that takes too long is divided until it fits, and then grows again', async () => {
  const email = await addEmail();
  for (let event = 0; event < 38; event++) await writeEvent(writers[0] as Client, email);
  const sizes: number[] = [];
  const reader = consumer(
    'reader',
    async (name, events, transaction) => {
      sizes.push(events.length);
      if (events.length > 2) throw Object.assign(new Error('statement timeout'), { code: '57014' });
      await note(name, events, transaction);
    },
    8,
  );
  await until(async () => {
    await reader.step().catch(() => undefined);
    return (await handledBy('reader')).length === 38;
  });
  expect(await handledBy('reader')).toEqual(Array.from({ length: 38 }, (_, index) => `${email} ${index + 1}`));
  expect(sizes).toEqual([8, 4, ...Array.from({ length: 16 }, () => 2), 4, 2, 2, 2]);
});

it('another consumer continues after one that died, and each event is handled once', async () => {
  const email = await addEmail();
  for (let event = 0; event < 8; event++) await writeEvent(writers[0] as Client, email);
  const all = Array.from({ length: 8 }, (_, index) => `${email} ${index + 1}`);
  let batches = 0;
  const dying = consumer('reader', async (name, events, transaction) => {
    await note(name, events, transaction);
    if (++batches === 2) throw new Error('killed');
  });
  await expect(until(async () => (await dying.step()) < 0)).rejects.toThrow('killed');
  expect(await handledBy('reader')).toEqual(all.slice(0, 3));

  const next = consumer('reader');
  await steps(next, 3);
  expect(await handledBy('reader')).toEqual(all.slice(0, 3));
  await expireLease();
  await handles(next, 'reader', all);
});

it('a consumer that froze until after the end of its lease changes nothing', async () => {
  const email = await addEmail();
  for (let event = 0; event < 4; event++) await writeEvent(writers[0] as Client, email);
  const all = Array.from({ length: 4 }, (_, index) => `${email} ${index + 1}`);
  let wakeUp!: () => void;
  const asleep = new Promise<void>((resolve) => (wakeUp = resolve));
  let isAsleep = false;
  const read = database.run.bind(database);
  const frozen = new EventConsumer(
    Object.assign(Object.create(database) as Database, {
      run: async (work: Parameters<typeof read>[0]) =>
        read(async (transaction) => {
          const query = transaction.query.bind(transaction);
          return work(
            Object.assign(Object.create(transaction) as DatabaseTransaction, {
              query: async (statement: Parameters<typeof query>[0]) => {
                const rows = await query(statement);
                if (statement.text === emailEventLog.text) {
                  isAsleep = true;
                  await asleep;
                }
                return rows;
              },
            }),
          );
        }),
    }),
    {
      name: 'reader',
      log: emailEventLog,
      maxBatch: 3,
      handle: (events, transaction) => note('reader', events, transaction),
    },
  );
  let last: Promise<number> | undefined;
  await until(async () => {
    last ??= frozen.step().then((count) => (isAsleep ? count : ((last = undefined), 0)));
    await Promise.race([last, new Promise((resolve) => setTimeout(resolve, 20))]);
    return isAsleep;
  });
  await expireLease();
  await handles(consumer('reader'), 'reader', all);

  wakeUp();
  expect(await last).toBe(0);
  expect(await handledBy('reader')).toEqual(all);
});

it('each consumer handles all events in order although writers commit in any order and consumers die', async () => {
  const emails = await Promise.all(Array.from({ length: 5 }, () => addEmail()));
  let isWriting = true;
  const written = Promise.all(
    writers.map(async (client, index) => {
      for (let round = 0; round < 25; round++) {
        await client.query('BEGIN; SELECT pg_current_xact_id()');
        // The program locks emails in the order of their ids.
        const chosen = emails.filter((_, at) => (round + at * (index + 2)) % 3 === 0).sort();
        for (const email of chosen) await writeEvent(client, email);
        await client.query(round % 7 === 3 ? 'ROLLBACK' : 'COMMIT');
      }
    }),
  ).then(() => (isWriting = false));
  let turn = 0;
  const names = ['counters', 'activity'];
  const readers = names.map(async (name) => {
    let each = consumer(name);
    const isDone = async (): Promise<boolean> => {
      const { rows } = await pool.query<{ all: boolean }>(
        `SELECT (SELECT count(*) FROM email_events) = (SELECT count(*) FROM handled WHERE consumer = $1) AS all`,
        [name],
      );
      return !isWriting && rows[0]?.all === true;
    };
    await until(async () => {
      // Every few steps it dies, and another one takes over.
      if (++turn % 9 === 0) {
        each = consumer(name, turn % 2 === 0 ? note : failing);
        await expireLease();
      }
      await each.step().catch(() => (each = consumer(name)));
      return isDone();
    });
  });
  await Promise.all([written, ...readers]);

  const { rows } = await pool.query<{ event: string }>(`SELECT email_id || ' ' || seq AS event FROM email_events`);
  for (const name of names) {
    const handled = await handledBy(name);
    expect([...handled].sort()).toEqual(rows.map(({ event }) => event).sort());
    for (const email of emails) {
      const seqs = handled.filter((event) => event.startsWith(email)).map((event) => Number(event.slice(37)));
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    }
  }
});

async function failing(
  name: string,
  events: readonly LoggedEmailEvent[],
  transaction: DatabaseTransaction,
): Promise<void> {
  await note(name, events, transaction);
  throw new Error('killed');
}
