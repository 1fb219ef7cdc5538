import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ProgramProcess, startProgramProcess } from '../../support/programs/program-process.js';
import { testApiKey, testSender } from '../../support/programs/program.js';
import { describeUnless } from '../../support/runner/unless.js';
import { until } from '../../support/runner/until.js';
import { PatroniPair, whyNoPatroni } from '../../support/servers/patroni-pair.js';
import { SmtpSink } from '../../support/servers/smtp-sink.js';

describeUnless(whyNoPatroni())('PostgreSQL under Patroni, as docker/patroni.yaml configures it', () => {
  let postgres: PatroniPair;
  let sink: SmtpSink;
  let dataDir: string;
  let program: ProgramProcess | undefined;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'postrider-patroni-data-'));
    sink = await SmtpSink.listen({ keep: true });
    postgres = await PatroniPair.start();
    program = await startProgramProcess({
      DATABASE_URL: postgres.url,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      BOOTSTRAP_API_KEY: testApiKey,
      DATA_DIR: dataDir,
      HTTP_PORT: '0',
      SMTP_LISTEN: 'none',
      LOG_LEVEL: 'fatal',
      DELIVERY_TRANSPORT: 'relay',
      RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    });
  });

  afterAll(async () => {
    await program?.stop();
    await Promise.all([sink.close(), postgres.close()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  async function send(index: number): Promise<number> {
    const { status } = await fetch(`${program?.url}/emails`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${testApiKey}`,
        'content-type': 'application/json',
        'idempotency-key': `key-${index}`,
      },
      body: JSON.stringify({ from: testSender, to: `user${index}@customer.test`, subject: 'Hello', text: 'Hello' }),
    });
    return status;
  }

  it('goes on with the standby when the machine of the leader is lost, and every email arrives once', async () => {
    expect(await send(0)).toBe(200);
    await sink.waitFor(({ count }) => count === 1);
    const lost = await postgres.loseLeader();
    const startedAt = performance.now();
    await until(async () => (await send(1)) === 200, 60_000);
    console.log(`accepted again ${Math.round(performance.now() - startedAt)} ms after the leader was lost`);
    await postgres.hasNewLeader(lost);
    await sink.waitFor(({ count }) => count === 2);
    const recipients = sink.messages.map((message) => message.recipients[0]);
    expect(recipients).toEqual(['user0@customer.test', 'user1@customer.test']);
  });
});
