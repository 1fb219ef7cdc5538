import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { ProgramProcess, startProgramProcess } from '../../support/programs/program-process.js';
import { testApiKey, testSender } from '../../support/programs/program.js';
import { describeUnless } from '../../support/runner/unless.js';
import { until } from '../../support/runner/until.js';
import { ArchivedPostgres, whyNoArchivedPostgres } from '../../support/servers/archived-postgres.js';
import { SmtpSink } from '../../support/servers/smtp-sink.js';

describeUnless(whyNoArchivedPostgres())('a restore to a point in time', () => {
  let postgres: ArchivedPostgres;
  let sink: SmtpSink;
  let dataDir: string;
  let program: ProgramProcess | undefined;
  let receiverIsAway = true;

  const start = (roles: string): Promise<ProgramProcess> =>
    startProgramProcess({
      DATABASE_URL: postgres.url,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      BOOTSTRAP_API_KEY: testApiKey,
      DATA_DIR: dataDir,
      ROLES: roles,
      HTTP_PORT: '0',
      SMTP_LISTEN: 'none',
      LOG_LEVEL: 'fatal',
      DELIVERY_TRANSPORT: 'relay',
      RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    });

  beforeAll(async () => {
    const replyToRecipient = (address: string): string | undefined =>
      receiverIsAway && address.startsWith('waits') ? '451 4.3.2 Later' : undefined;
    dataDir = await mkdtemp(join(tmpdir(), 'postrider-point-'));
    sink = await SmtpSink.listen({ keep: true, replyToRecipient });
    postgres = await ArchivedPostgres.start();
    program = await start('api,worker');
  });

  afterAll(async () => {
    await program?.kill();
    await Promise.all([sink.close(), postgres.close()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  async function call(method: string, path: string, body?: object, key = testApiKey) {
    const response = await fetch(`${program?.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }

  async function send(name: string, more: object = {}): Promise<string> {
    const email = { from: testSender, to: `${name}@customer.test`, subject: name, text: 'Hello', ...more };
    const { status, body } = await call('POST', '/emails', email);
    expect(status).toBe(200);
    return body.id as string;
  }

  async function lastEvent(id: string): Promise<string | undefined> {
    return (await call('GET', `/emails/${id}`)).body.last_event;
  }

  const reaches = (id: string, event: string): Promise<unknown> =>
    until(async () => (await lastEvent(id)) === event, 60_000);

  async function sql(text: string): Promise<Record<string, string> | undefined> {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    try {
      return (await client.query<Record<string, string>>(text)).rows[0];
    } finally {
      await client.end();
    }
  }

  const receivedBy = (name: string): string[] =>
    sink.messages
      .filter(({ recipients }) => recipients.includes(`${name}@customer.test`))
      .map(({ content }) => /^Message-ID: (.*)\r$/im.exec(content.toString())?.[1] as string);

  it('brings back what was committed before, nothing of what came later, and the mail that waited', async () => {
    await postgres.backUp();
    const delivered = await send('delivered');
    const waiting = await send('waits');
    const waitingAndDelivered = await send('waits-less');
    const dropped = await send('waits-dropped');
    const scheduled = await send('scheduled', { scheduled_at: new Date(Date.now() + 86_400_000).toISOString() });
    const { id: domain } = (await call('POST', '/domains', { name: 'kept.test' })).body;
    const { id: earlyId, token: earlyKey } = (await call('POST', '/api-keys', { name: 'early' })).body;
    await reaches(delivered, 'delivered');
    await Promise.all([waiting, waitingAndDelivered, dropped].map((id) => reaches(id, 'delivery_delayed')));

    // Otherwise the restored worker would hold the lane until others find it dead.
    await until(async () => (await sql('SELECT FROM lanes LIMIT 1')) === undefined, 60_000);
    const time = (await sql('SELECT clock_timestamp()::text AS time'))?.time as string;

    receiverIsAway = false;
    await sql(`UPDATE outbound_queue SET due_at = now() WHERE email_id <> '${waiting}'`);
    await Promise.all([waitingAndDelivered, dropped].map((id) => reaches(id, 'delivered')));
    const late = await send('late');
    await reaches(late, 'delivered');
    const { token: lateKey } = (await call('POST', '/api-keys', { name: 'late' })).body;
    for (const path of [`/domains/${domain}`, `/api-keys/${earlyId}`]) {
      expect((await call('DELETE', path)).status).toBe(200);
    }
    expect((await call('POST', `/emails/${scheduled}/cancel`)).status).toBe(200);
    await postgres.archiveAll();
    await program?.kill();
    await postgres.lose();

    await postgres.restore(time);
    await postgres.resume();
    program = await start('api');
    expect(await lastEvent(delivered)).toBe('delivered');
    expect(await lastEvent(waiting)).toBe('delivery_delayed');
    expect(await lastEvent(waitingAndDelivered)).toBe('delivery_delayed');
    expect(await lastEvent(scheduled)).toBe('scheduled');
    expect((await call('GET', `/emails/${late}`)).status).toBe(404);
    expect((await call('GET', `/domains/${domain}`)).status).toBe(200);
    expect((await call('GET', '/domains', undefined, earlyKey)).status).toBe(200);
    expect((await call('GET', '/domains', undefined, lateKey)).status).toBe(400);

    expect((await call('POST', `/emails/${scheduled}/cancel`)).status).toBe(200);
    await sql(`DELETE FROM outbound_queue WHERE email_id = '${dropped}'`);
    await program?.stop();
    program = await start('api,worker');
    await sql(`UPDATE outbound_queue SET due_at = now() WHERE due_at > now() AND worker_id IS NULL`);
    await Promise.all([waiting, waitingAndDelivered].map((id) => reaches(id, 'delivered')));
    const again = await send('after-the-restore');
    await reaches(again, 'delivered');
    // The outcome of a delivery after that time is lost, so it is sent once more, with the same Message-ID.
    const [first, second] = receivedBy('waits-less');
    expect(second).toBe(first);
    const names = ['delivered', 'waits', 'waits-less', 'waits-dropped', 'scheduled', 'late', 'after-the-restore'];
    expect(names.map((name) => [name, receivedBy(name).length])).toEqual([
      ['delivered', 1],
      ['waits', 1],
      ['waits-less', 2],
      ['waits-dropped', 1],
      ['scheduled', 0],
      ['late', 1],
      ['after-the-restore', 1],
    ]);
    expect(await lastEvent(dropped)).toBe('delivery_delayed');
    // The restored cluster archives too, on a timeline of its own.
    await postgres.archiveAll();
  });
});
