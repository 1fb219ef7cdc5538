import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { rounds } from '../../support/runner/rounds.js';
import { until } from '../../support/runner/until.js';
import { freePort } from '../../support/runner/free-port.js';
import { testApiKey, testEnvironment } from '../../support/programs/program.js';
import { runServerProgram, ServerProgram } from '../../support/programs/server-program.js';
import { SmtpDialogue } from '../../support/clients/smtp-dialogue.js';
import { createTestDatabase, TestDatabase } from '../../support/servers/test-database.js';

/** Kills, each at a random moment: while commands, content or replies are under way, and while transactions are written. */
const kills = rounds(3, 5);
const messages = rounds(300, 600);
const senders = 12;

let database: TestDatabase;
let sql: Client;
let dataDir: string;
let port: number;
let server: ServerProgram;

const start = (): Promise<ServerProgram> =>
  runServerProgram({
    ...testEnvironment(database, dataDir),
    ROLES: 'api,inbound,worker',
    SMTP_LISTEN: `127.0.0.1:${port}+mx`,
    HOST_NAME: 'mail.service.test',
    INBOUND_MESSAGES_PER_MINUTE: '1000000',
  });

beforeAll(async () => {
  database = await createTestDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-receiving-kill-'));
  port = await freePort();
  server = await start();
  const headers = { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' };
  const domains = await fetch(`${server.url}/domains`, { headers });
  const [{ id }] = ((await domains.json()) as { data: [{ id: string }] }).data;
  const body = JSON.stringify({ capabilities: { receiving: 'enabled' } });
  expect((await fetch(`${server.url}/domains/${id}`, { method: 'PATCH', headers, body })).status).toBe(200);
  const inbox = JSON.stringify({ email_address: 'support@sandbox.postrider.test' });
  expect((await fetch(`${server.url}/inboxes`, { method: 'POST', headers, body: inbox })).status).toBe(201);
});

afterAll(async () => {
  await server.stop();
  await sql.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Every tenth message is so large that it is stored before its transaction. */
function contentOf(index: number): string {
  const body = index % 10 === 0 ? `${'0123456789'.repeat(7)}\r\n`.repeat(5_000) : 'Hello\r\n';
  return `From: a@customer.test\r\nSubject: No ${index}\r\nMessage-ID: <${index}@customer.test>\r\n\r\n${body}`;
}

/** One attempt of a mail server. Resolves to whether a 250 arrived. */
async function attempt(index: number): Promise<boolean> {
  let client: SmtpDialogue | undefined;
  try {
    client = await SmtpDialogue.open(port);
    await client.ask('EHLO mx.customer.test');
    const reply = await client.submit('a@customer.test', 'support@sandbox.postrider.test', contentOf(index));
    if (!reply.startsWith('250')) return false;
    client.send('QUIT\r\n');
    return true;
  } catch {
    return false;
  } finally {
    client?.drop();
  }
}

it('whenever the role is killed, no message is lost after its 250, and none is stored twice for one 250', async () => {
  const rest = Array.from({ length: messages }, (_, index) => index)[Symbol.iterator]();
  let attempts = 0;
  const sender = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      for (;;) {
        attempts++;
        if (await attempt(next.value)) break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  };
  let isSending = true;
  const sending = Promise.all(Array.from({ length: senders }, sender)).then(() => (isSending = false));
  for (let kill = 0; kill < kills && isSending; kill++) {
    await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 900));
    await server.kill();
    server = await start();
  }
  await sending;

  expect(attempts).toBeGreaterThan(messages);
  const { rows } = await sql.query<{ subject: string; count: number }>(
    `SELECT subject, count(*)::int AS count FROM received_emails WHERE subject LIKE 'No %' GROUP BY subject`,
  );
  expect(rows).toHaveLength(messages);
  expect(rows.filter(({ count }) => count !== 1)).toEqual([]);
  const { rows: sizes } = await sql.query<{ id: string }>(
    `SELECT e.id FROM received_emails e WHERE e.size <> (
       SELECT coalesce(sum(length(c.bytes)), 0) FROM message_contents c WHERE c.id = e.content_id)`,
  );
  expect(sizes).toEqual([]);
  expect(await filedOnce()).toBe(true);
}, 240_000);

/** Resolves once all received mail is in the inbox. Says whether each email is there once, and threads and inbox count right. */
async function filedOnce(): Promise<boolean> {
  await until(async () => (await sql.query('SELECT FROM inbox_arrivals LIMIT 1')).rows.length === 0, 60_000);
  const { rows } = await sql.query<{ received: number; filed: number; counted: number; unread: number; told: number }>(
    `SELECT (SELECT count(*)::int FROM received_emails) AS received, (SELECT count(*)::int FROM inbox_emails) AS filed,
            (SELECT sum(email_count)::int FROM inbox_threads) AS counted, (SELECT unread FROM inboxes) AS unread,
            (SELECT count(*)::int FROM team_events WHERE type = 'inbox.email.received') AS told`,
  );
  const [{ received, ...others } = { received: 0 }] = rows;
  return Object.values(others).every((count) => count === received);
}

it('a message with the bytes of one whose 250 the client has read is stored, also where the role was killed in between', async () => {
  const submit = async (): Promise<void> => {
    const client = await SmtpDialogue.open(port);
    await client.ask('EHLO mx.customer.test');
    const content = contentOf(1).replace('Subject: No 1', 'Subject: Equal');
    expect(await client.submit('a@customer.test', 'support@sandbox.postrider.test', content)).toMatch(/^250/);
    expect(await client.ask('QUIT')).toMatch(/^221/);
    client.drop();
  };
  await submit();
  await server.kill();
  server = await start();
  await submit();
  const { rows } = await sql.query(`SELECT FROM received_emails WHERE subject = 'Equal'`);
  expect(rows).toHaveLength(2);
});
