import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Clock, Notices } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { Disk, DiskSpace } from '#observability/disk';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { anEmail } from '../support/programs/recording-program.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { until } from '../support/runner/until.js';
import { WebhookReceiver } from '../support/servers/webhook-receiver.js';

const gigabyte = 1024 ** 3;
const operator = 'operator@ops.test';
const settings = {
  NOTICES_TO: operator,
  NOTICES_FROM: 'Postrider <notices@sandbox.postrider.test>',
  ALLOW_PRIVATE_DESTINATIONS: 'true',
};

class TestDisk extends Disk {
  freeBytes = 50 * gigabyte;
  async space(): Promise<DiskSpace> {
    return { freeBytes: this.freeBytes, totalBytes: 100 * gigabyte };
  }
}

let clock: TestClock;
let disk: TestDisk;
let transport: InMemoryDeliveryTransport;
let database: TestDatabase;
let program: TestProgram;

/** Starts one more program with the same database, disk and transport. */
const start = (environment: Readonly<Record<string, string>> = settings): Promise<TestProgram> =>
  startProgram(
    environment,
    new Adapters().use(DeliveryTransport, transport).use(Disk, disk).use(Clock, clock),
    database,
  );

/** A stopped program has closed its transport, so that the next one needs another. */
async function restart(environment = settings as Readonly<Record<string, string>>): Promise<void> {
  await program.stop();
  transport = new InMemoryDeliveryTransport();
  program = await start(environment);
}

beforeEach(async () => {
  clock = new TestClock();
  disk = new TestDisk();
  transport = new InMemoryDeliveryTransport();
  database = await createTestDatabase();
  program = await start();
});

afterEach(async () => {
  await program.stop();
  await database.drop();
});

const post = (path: string, body: object): Promise<Response> =>
  program.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const notices = (): string[] =>
  transport.delivered
    .filter(({ recipients }) => recipients.includes(operator))
    .map(({ content }) => Buffer.from(content).toString().replace(/=\r\n/g, '').replace(/=3D/g, '='));

const query = <Row extends Record<string, unknown>>(text: string): Promise<Row[]> =>
  program.postrider.app.get(Database).query<Row>({ text });

const announced = async (): Promise<number> => (await query('SELECT FROM notices')).length;
const sent = async (): Promise<number> => (await query('SELECT FROM notices WHERE sent_at IS NOT NULL')).length;

/** A busy machine may leave the process unready for a moment, and then the response has no details. */
const acceptsMail = async (one: TestProgram): Promise<boolean> => {
  const details = await until(async () => {
    const response = (await (await one.request('/readyz')).json()) as {
      details?: { disk: { accepting_mail: boolean } };
    };
    return response.details;
  });
  return details.disk.accepting_mail;
};

describe('the operator', () => {
  it('is told in chats and by a URL, each by itself, without what strangers write', async () => {
    const posted: Record<string, { [field: string]: unknown }[]> = { '/json': [], '/slack': [], '/discord': [] };
    let isDiscordAway = true;
    const chats = createServer((request, response) => {
      void text(request).then((body) => {
        const isAway = request.url === '/discord' && isDiscordAway;
        if (!isAway) posted[request.url as string]?.push(JSON.parse(body) as { [field: string]: unknown });
        response.writeHead(isAway ? 503 : 204).end();
      });
    });
    await new Promise<void>((ready) => chats.listen(0, '127.0.0.1', ready));
    const at = `http://127.0.0.1:${(chats.address() as AddressInfo).port}`;
    try {
      await restart({ NOTICES_URL: `${at}/json, slack+${at}/slack,discord+${at}/discord` });
      const operatorNotices = program.postrider.app.get(Notices);
      await operatorNotices.announce({
        key: 'mail of strangers',
        subject: 'Hi',
        text: '<!channel>',
        isByMailOnly: true,
      });
      await operatorNotices.announce({ key: 'alert', subject: 'Red <alert>', text: '@everyone & <!channel>' });
      await until(() => posted['/json']?.length === 1 && posted['/slack']?.length === 1, 30_000);
      expect(posted['/json']).toEqual([{ type: 'notice', subject: 'Red <alert>', text: '@everyone & <!channel>' }]);
      expect(posted['/slack']).toEqual([{ text: '*Red &lt;alert&gt;*\n@everyone &amp; &lt;!channel&gt;' }]);
      isDiscordAway = false;
      await until(async () => (await sent()) === 2, 30_000);
      clock.advance(600_000);
      await until(() => posted['/discord']?.length === 1, 30_000);
      expect(posted['/discord']).toEqual([
        { content: '**Red <alert>**\n@everyone & <!channel>', allowed_mentions: { parse: [] } },
      ]);
      await until(async () => (await sent()) === 3, 30_000);
      expect(JSON.stringify(await query('SELECT recipient FROM notices'))).not.toContain(at);
      expect(Object.values(posted).map(({ length }) => length)).toEqual([1, 1, 1]);
    } finally {
      chats.closeAllConnections();
      chats.close();
    }
  });

  it('gets a notice of a disabled webhook endpoint, with the request that enables it again', async () => {
    const receiver = await WebhookReceiver.listen();
    receiver.react = () => 500;
    try {
      const endpoint = `${receiver.url}?token=hidden`;
      const { id } = (await (await post('/webhooks', { endpoint, events: ['email.sent'] })).json()) as { id: string };
      await query(`UPDATE webhooks SET failures = 1, failing_since = now() - interval '8 days',
                     last_failure_at = now() - interval '1 hour'`);
      await post('/emails', anEmail({ subject: 'The last call' }));

      const [notice = ''] = await until(() => notices().length === 1 && notices(), 60_000);
      expect(notice).toContain('From: Postrider <notices@sandbox.postrider.test>\r\n');
      expect(notice).toContain(`Subject: Postrider disabled a webhook endpoint at 127.0.0.1:${receiver.port}\r\n`);
      expect(notice).toContain(`Endpoint: ${new URL(receiver.url).origin}\r\n`);
      expect(notice).not.toContain('hidden');
      expect(notice).toMatch(/Team: "My team" \([0-9a-f-]{36}\)\r\n/);
      expect(notice).toMatch(/Failing since: \d{4}-\d\d-\d\dT[\d:.]+Z\r\n/);
      expect(notice).toContain('Last response: HTTP status 500\r\n');
      expect(notice).toContain(`PATCH /webhooks/${id} with {"status": "enabled"}`);
      expect(notice).toContain('DKIM-Signature:');
      await until(async () => (await sent()) === 1, 30_000);
    } finally {
      await receiver.close();
    }
  });

  it('gets one notice a day of a full disk, which is accepted although other mail is refused', async () => {
    const second = await start();
    try {
      disk.freeBytes = gigabyte / 2;
      for (const one of [program, second]) await until(async () => !(await acceptsMail(one)), 30_000);
      expect((await post('/emails', anEmail({ subject: 'Refused' }))).status).toBe(503);
      const [notice = ''] = await until(() => notices().length > 0 && notices(), 60_000);
      expect(notice).toMatch(/Subject: Postrider on \S+ accepts no mail: its disk is nearly full\r\n/);
      expect(notice).toContain('has 512 MB left. Below 1,024 MB, no new mail is accepted');

      disk.freeBytes = 50 * gigabyte;
      for (const one of [program, second]) await until(() => acceptsMail(one), 30_000);
      disk.freeBytes = gigabyte / 4;
      for (const one of [program, second]) await until(async () => !(await acceptsMail(one)), 30_000);
      await until(async () => (await sent()) === 1, 30_000);
      expect([await announced(), notices().length]).toEqual([1, 1]);

      clock.advance(24 * 3_600_000);
      disk.freeBytes = 50 * gigabyte;
      for (const one of [program, second]) await until(() => acceptsMail(one), 30_000);
      disk.freeBytes = gigabyte / 4;
      await until(() => notices().length === 2, 30_000);
    } finally {
      await second.stop();
    }
  });

  it('gets a notice later if its sender may not send yet', async () => {
    await restart({ ...settings, NOTICES_FROM: 'notices@unknown.test' });
    await query(
      `INSERT INTO notices (key, subject, text, created_at, due_at) VALUES ('k', 'Waiting', 'x', now(), 'epoch')`,
    );
    await until(async () => (await query(`SELECT FROM notices WHERE due_at > 'epoch'`)).length === 1, 30_000);
    expect([await sent(), notices().length]).toEqual([0, 0]);

    await restart();
    clock.advance(11 * 60_000);
    await until(() => notices().length === 1, 30_000);

    // As if a process had died between sending the notice and recording that.
    await until(async () => (await sent()) === 1, 30_000);
    await query(`UPDATE notices SET sent_at = NULL, due_at = 'epoch'`);
    await until(async () => (await sent()) === 1, 30_000);
    expect(await query('SELECT FROM emails')).toHaveLength(1);
  }, 120_000);

  it('gets no notice without NOTICES_TO', async () => {
    await restart({});
    disk.freeBytes = gigabyte / 2;
    await until(async () => !(await acceptsMail(program)), 30_000);
    expect(await announced()).toBe(0);
  });
});
