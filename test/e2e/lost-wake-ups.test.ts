import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { WorkSearch } from '#postgres/events';
import { readConfig } from '#platform/config';
import { startPostrider } from '../../apps/server/src/postrider.js';
import { startProgram, testEnvironment, TestProgram, testSender } from '../support/programs/program.js';
import { emptyRedis } from '../support/programs/start-for-test.js';
import { until } from '../support/runner/until.js';

it('mail is delivered even if its wake-ups are lost', async () => {
  const api = await startProgram(
    { ROLES: 'api' },
    new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()),
  );
  const dataDir = await mkdtemp(join(tmpdir(), 'postrider-worker-'));
  const sql = new Client({ connectionString: api.database.url });
  await sql.connect();
  try {
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) {
      const email = { from: testSender, to: `user${n}@sink.test`, subject: `No ${n}`, text: 'Hello' };
      ids.push((await api.resend.emails.send(email)).data?.id ?? '');
    }
    if (process.env.E2E_REDIS_URL === undefined) {
      const removed = await until(async () => (await sql.query('DELETE FROM bullmq.job')).rowCount ?? undefined);
      expect(removed).toBeGreaterThan(0);
    } else {
      await emptyRedis(api.database.url);
    }

    const transport = new InMemoryDeliveryTransport();
    const worker = await startPostrider({
      config: readConfig({ ...testEnvironment(api.database, dataDir), ROLES: 'worker' }),
      adapters: new Adapters().use(DeliveryTransport, transport),
    });
    try {
      await until(() => transport.delivered.length === ids.length);
      expect(transport.delivered.map(({ emailId }) => emailId).sort()).toEqual([...ids].sort());
    } finally {
      await worker.stop();
    }
  } finally {
    await sql.end();
    await api.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** Without tables to read from end to end, a condition that an index does not answer shows as a filter or a sort. */
async function planOfLook(program: TestProgram): Promise<string> {
  const { conditions } = program.postrider.app.get<{ readonly conditions: readonly string[] }>(WorkSearch);
  expect(conditions.length).toBeGreaterThan(20);
  const rows = await program.postrider.app.get(Database).run(async (transaction) => {
    await transaction.execute({ text: 'SET LOCAL enable_seqscan = off' });
    const text = `EXPLAIN SELECT ARRAY[${conditions.join(', ').replaceAll('$1', 'now()')}]`;
    return transaction.query<{ 'QUERY PLAN': string }>({ text });
  });
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

it('a worker is woken through the queue by mail that another process accepts, and looks for other work along indexes', async () => {
  const transport = new InMemoryDeliveryTransport();
  const worker = await startProgram({ ROLES: 'worker' }, new Adapters().use(DeliveryTransport, transport));
  expect(await planOfLook(worker)).not.toMatch(/Seq Scan|Filter:|Sort/);
  const dataDir = await mkdtemp(join(tmpdir(), 'postrider-api-'));
  const api = await startPostrider({
    config: readConfig({ ...testEnvironment(worker.database, dataDir), ROLES: 'api' }),
    adapters: new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()),
  });
  try {
    const response = await fetch(`${api.url}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testEnvironment(worker.database, dataDir).BOOTSTRAP_API_KEY}` },
      body: JSON.stringify({ from: testSender, to: 'ann@sink.test', subject: 'Across', text: 'Hello' }),
    });
    expect(response.status).toBe(200);
    await until(() => transport.delivered.length === 1);
  } finally {
    await api.stop();
    await worker.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
