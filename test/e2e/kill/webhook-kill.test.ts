import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { testEnvironment } from '../../support/programs/program.js';
import { runServerProgram, ServerProgram } from '../../support/programs/server-program.js';
import { SmtpSink } from '../../support/servers/smtp-sink.js';
import { until } from '../../support/runner/until.js';
import { WebhookReceiver } from '../../support/servers/webhook-receiver.js';
import { startWebhooksProgram, WebhooksProgram } from '../../support/programs/webhooks-program.js';

const kills = 3;
const emails = 300;

let api: WebhooksProgram;
let sink: SmtpSink;
let receiver: WebhookReceiver;
let dataDir: string;
let workers: ServerProgram[];

const startWorker = (): Promise<ServerProgram> =>
  runServerProgram({
    ...testEnvironment(api.database, dataDir),
    ROLES: 'worker',
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    DELIVERY_TRANSPORT: 'relay',
    RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
  });

beforeAll(async () => {
  api = await startWebhooksProgram({ ROLES: 'api' });
  sink = await SmtpSink.listen();
  receiver = await WebhookReceiver.listen();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-webhook-kill-'));
  workers = await Promise.all([startWorker(), startWorker()]);
});

afterAll(async () => {
  await receiver.close();
  await Promise.all(workers.map((worker) => worker.stop()));
  await api.stop();
  await sink.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('every event reaches the endpoint, however often workers are killed while they send', async () => {
  const { id } = await api.addWebhook(receiver.url, ['email.sent', 'email.delivered']);
  const killAt = Array.from({ length: kills }, (_, n) => Math.floor((n + 0.3) * (emails / kills)));
  const restarts: Promise<void>[] = [];
  for (let n = 0; n < emails; n++) {
    await api.send(`user${n}@sink.test`);
    if (!killAt.includes(n)) continue;
    // Kills both workers while messages are under way: either may have the lane.
    await until(() => receiver.calls.length > n / 2, 180_000);
    for (const worker of workers.splice(0)) process.kill(worker.pid, 'SIGKILL');
    restarts.push(startWorker().then((worker) => void workers.push(worker)));
  }
  await Promise.all(restarts);

  const database = api.postrider.app.get(Database);
  const count = async (text: string): Promise<number> =>
    (await database.query<{ n: number }>({ text: `SELECT count(*)::int AS n FROM ${text}` }))[0]?.n ?? NaN;
  await until(async () => (await count('outbound_queue')) === 0, 180_000);
  await until(async () => (await count('webhook_queue')) === 0, 180_000);

  const written = await count(`email_events WHERE type IN ('email.sent', 'email.delivered')`);
  expect(written).toBeGreaterThanOrEqual(emails * 2);
  expect(await count(`webhook_messages WHERE webhook_id = '${id}' AND status = 'success'`)).toBe(written);
  const seen = new Set(
    receiver.accepted.map(({ payload }) => `${payload.data.email_id as string} ${payload.sequence}`),
  );
  expect(seen.size).toBe(written);
  expect(new Set(receiver.accepted.map(({ id: messageId }) => messageId)).size).toBe(written);
}, 600_000);
