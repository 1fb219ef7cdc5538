import { Agent, request } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LoadBalancer } from '../support/servers/load-balancer.js';
import { ProgramProcess, startProgramProcess } from '../support/programs/program-process.js';
import { testApiKey, testEnvironment, testSender } from '../support/programs/program.js';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { until } from '../support/runner/until.js';

const emails = 1_500;
const senders = 12;

let database: TestDatabase;
let dataDir: string;
let sink: SmtpSink;
let staying: ProgramProcess;
let leaving: ProgramProcess;
let balancer: LoadBalancer;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-rolling-'));
  sink = await SmtpSink.listen({ keep: true });
  const start = (roles: string): Promise<ProgramProcess> =>
    startProgramProcess({
      ...testEnvironment(database, dataDir),
      ROLES: roles,
      SMTP_LISTEN: '127.0.0.1:0+tls',
      DRAIN_SECONDS: '1',
      DELIVERY_TRANSPORT: 'relay',
      RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    });
  [staying, leaving] = await Promise.all([start('api,worker'), start('api,smtp')]);
  balancer = await LoadBalancer.listen(
    [staying, leaving].map(({ port, url }) => ({ port, healthUrl: `${url}/readyz` })),
  );
}, 300_000);

afterAll(async () => {
  await balancer.close();
  await staying.stop();
  await sink.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Sent {
  readonly status: number;
  readonly closes: boolean;
}

/** One attempt over a keep-alive connection. Rejects if the connection breaks. */
function send(agent: Agent, index: number): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' };
    const options = { agent, host: '127.0.0.1', port: balancer.port, path: '/emails', method: 'POST', headers };
    const outgoing = request(options, (response) => {
      response.resume();
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, closes: response.headers.connection === 'close' }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(
      JSON.stringify({ from: testSender, to: `user${index}@sink.test`, subject: `No ${index}`, text: 'Hello' }),
    );
  });
}

it('a process that is stopped under load refuses no request, breaks no connection and loses no mail', async () => {
  const smtp = await SmtpDialogue.loggedIn(leaving.smtpPorts[0] as number, testApiKey);
  await smtp.ask('MAIL FROM:<hello@sandbox.postrider.test>');
  await smtp.ask('RCPT TO:<over-smtp@sink.test>');
  expect(await smtp.ask('DATA')).toMatch(/^354/);
  smtp.send(`From: ${testSender}\r\nSubject: Half\r\n\r\nThe first half,\r\n`);

  const agent = new Agent({ keepAlive: true });
  const results: Sent[] = [];
  let next = 0;
  let stopping: Promise<number | null> | undefined;
  const sender = async (): Promise<void> => {
    while (next < emails) {
      const index = next++;
      if (index === emails / 3) stopping = leaving.stop();
      // A message that has begun is taken to its end, within the time that a stop has.
      if (index === emails / 2) smtp.send('and the second.\r\n.\r\n');
      results.push(await send(agent, index));
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  agent.destroy();

  expect(await smtp.reply()).toMatch(/^250/);
  expect(await smtp.reply()).toMatch(/^421 4\.3\.2/);
  expect(await stopping).toBe(0);

  expect(results.filter(({ status }) => status !== 200)).toEqual([]);
  expect(results.some(({ closes }) => closes)).toBe(true);
  const expected = [...Array.from({ length: emails }, (_, index) => `user${index}@sink.test`), 'over-smtp@sink.test'];
  await until(() => sink.count >= expected.length, 120_000);
  expect(sink.messages.flatMap(({ recipients }) => recipients).sort()).toEqual(expected.sort());
}, 300_000);
