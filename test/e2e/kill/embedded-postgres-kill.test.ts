import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { request } from 'undici';
import { ProgramProcess, startProgramProcess } from '../../support/programs/program-process.js';
import { testApiKey, testSender } from '../../support/programs/program.js';
import { SmtpSink } from '../../support/servers/smtp-sink.js';
import { until } from '../../support/runner/until.js';

const kills = 3;
const emails = 300;
const senders = 8;

let dataDir: string;
let sink: SmtpSink;
let program: ProgramProcess;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-own-'));
  sink = await SmtpSink.listen({ keep: true });
  program = await startProgramProcess({
    WORKERS: '1',
    DATA_DIR: dataDir,
    HTTP_PORT: '0',
    SMTP_LISTEN: 'none',
    LOG_LEVEL: 'fatal',
    BOOTSTRAP_API_KEY: testApiKey,
    DELIVERY_TRANSPORT: 'relay',
    RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
  });
}, 300_000);

afterAll(async () => {
  await program.stop();
  await sink.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function killPostgres(): Promise<void> {
  process.kill(Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGKILL');
}

async function send(index: number): Promise<number> {
  const { statusCode, body } = await request(`${program.url}/emails`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${testApiKey}`,
      'content-type': 'application/json',
      'idempotency-key': `key-${index}`,
    },
    body: JSON.stringify({ from: testSender, to: `user${index}@sink.test`, subject: 'Hello', text: 'Hello' }),
  });
  await body.dump();
  return statusCode;
}

it('an embedded PostgreSQL that dies is started again, and the program neither ends nor sends anything twice', async () => {
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < emails) {
      const index = next++;
      if ((index + 1) % (emails / (kills + 1)) === 0 && index + 1 < emails) await killPostgres();
      await until(async () => (await send(index)) === 200, 60_000);
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  await until(() => sink.count >= emails, 90_000);

  const recipients = sink.messages.flatMap((message) => message.recipients);
  expect(new Set(recipients).size).toBe(emails);
  expect(recipients).toHaveLength(emails);
  expect(program.child.exitCode).toBeNull();
});
