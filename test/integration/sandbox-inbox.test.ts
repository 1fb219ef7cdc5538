import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { Logger } from '#observability/logging';
import { ReceivedMessage } from '../../libs/sandbox/src/domain/inbox-message.js';
import { InboxLimits } from '../../libs/sandbox/src/infrastructure/persistence/inbox-trimmer.js';
import { PostgresInbox } from '../../libs/sandbox/src/infrastructure/persistence/postgres-inbox.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { until } from '../support/runner/until.js';

let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url });
  database = new Database(pool);
});

afterEach(() => database.execute({ text: 'TRUNCATE sandbox_messages' }));

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

const inboxWith = (limits?: InboxLimits): PostgresInbox => new PostgresInbox(database, Logger.create('fatal'), limits);

function message(raw = 'Hello', fields: Partial<ReceivedMessage> = {}): ReceivedMessage {
  return {
    id: newId(),
    teamId: null,
    from: 'a@example.test',
    to: ['b@example.test'],
    subject: 'Hi',
    receivedAt: new Date('2026-11-21T10:00:00Z'),
    size: Buffer.byteLength(raw),
    raw: Buffer.from(raw),
    ...fields,
  };
}

async function rawOf(inbox: PostgresInbox, of: ReceivedMessage): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of inbox.pieces(of)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function kept(): Promise<string[]> {
  const rows = await database.query<{ id: string }>({ text: 'SELECT id FROM sandbox_messages ORDER BY id' });
  return rows.map(({ id }) => id);
}

describe('the inbox of the sandbox', () => {
  it('fails a read if the message is removed during it', async () => {
    const inbox = inboxWith();
    const large = message('x'.repeat(2_500_000));
    await inbox.add(large);
    const pieces = inbox.pieces(large)[Symbol.asyncIterator]();
    await pieces.next();
    await database.execute({ text: 'TRUNCATE sandbox_messages' });

    await expect(pieces.next()).rejects.toThrow('Message not found');
    await expect(rawOf(inbox, large)).rejects.toThrow('Message not found');
  });

  it('stores messages that arrive together, each with its own bytes', async () => {
    const inbox = inboxWith();
    const messages = [message('first'), message('second: \u00fc', { to: ['"a, b"@x.test', 'c@x.test'] }), message('3')];

    await Promise.all(messages.map((each) => inbox.add(each)));

    for (const each of messages) {
      const { raw, ...known } = each;
      expect(await inbox.find('operator', each.id)).toEqual(known);
      expect(await rawOf(inbox, each)).toEqual(raw);
    }
  });

  it('stores a message of 60 MB', async () => {
    const inbox = inboxWith();
    const large = message('x'.repeat(60 * 1024 * 1024));

    await inbox.add(large);

    expect((await rawOf(inbox, large)).equals(large.raw)).toBe(true);
  });

  it('shows a team its own messages only', async () => {
    const inbox = inboxWith();
    const [mine, theirs, withoutTeam] = [message('', { teamId: newId() }), message('', { teamId: newId() }), message()];
    for (const each of [mine, theirs, withoutTeam]) await inbox.add(each);
    const viewer = { teamId: mine?.teamId ?? '' };

    const page = await inbox.list(viewer, { limit: 10 });

    expect(page.items.map(({ id }) => id)).toEqual([mine?.id]);
    expect(await inbox.find(viewer, theirs?.id ?? '')).toBeUndefined();
    expect(await inbox.find(viewer, withoutTeam?.id ?? '')).toBeUndefined();
    expect((await inbox.list('operator', { limit: 10 })).items).toHaveLength(3);
  });

  it('keeps the newest messages, at most its limit plus slack', async () => {
    const inbox = inboxWith({ messages: 20, bytes: 1e9, slack: 0.1 });
    const messages = Array.from({ length: 100 }, () => message());
    for (const each of messages) await inbox.add(each);

    await until(async () => {
      // Messages that came during the last trimming are trimmed with the next message.
      const one = message();
      messages.push(one);
      await inbox.add(one);
      return (await kept()).length <= 22;
    });
    await inbox.onApplicationShutdown();

    const ids = await kept();
    expect(ids.length).toBeGreaterThanOrEqual(20);
    expect(ids).toEqual(messages.slice(-ids.length).map(({ id }) => id));
  });

  it('keeps at most the bytes of its limit plus slack', async () => {
    const inbox = inboxWith({ messages: 1_000, bytes: 10_000, slack: 0.1 });
    const add = (): Promise<void> => inbox.add(message('x'.repeat(1_000)));
    for (let at = 0; at < 50; at++) await add();

    await until(() => add().then(async () => (await kept()).length <= 12));
    await inbox.onApplicationShutdown();

    expect((await kept()).length).toBeGreaterThanOrEqual(10);
  });
});
