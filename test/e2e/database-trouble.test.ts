import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';

const transport = new InMemoryDeliveryTransport();
let program: TestProgram;
let sql: Client;

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, transport));
  sql = new Client({ connectionString: program.database.url });
  await sql.connect();
});

afterAll(async () => {
  await sql.end();
  await program.stop();
});

async function send(to: string): Promise<{ id: string | undefined; status: number }> {
  const response = await program.request('/emails', {
    method: 'POST',
    body: JSON.stringify({ from: testSender, to, subject: 'Hello', text: 'Hello' }),
  });
  const body = (await response.json()) as { id?: string };
  return { id: body.id, status: response.status };
}

function isDelivered(id: string | undefined): boolean {
  return transport.delivered.some(({ emailId }) => emailId === id);
}

it('a lane whose row was deleted is acquired again and delivers its mail', async () => {
  const first = await send('first@sink.test');
  await until(() => isDelivered(first.id));
  await sql.query('DELETE FROM lanes');
  const ids = await Promise.all(['a', 'b', 'c'].map(async (name) => (await send(`${name}@sink.test`)).id));
  await until(() => ids.every(isDelivered));
});

it('broken connections lose no email and end no process', async () => {
  const accepted: (string | undefined)[] = [];
  const statuses = new Set<number>();
  for (let round = 0; round < 12; round++) {
    const sends = Array.from({ length: 20 }, (_, n) => send(`round${round}-${n}@sink.test`));
    await sql.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    for (const { id, status } of await Promise.all(sends)) {
      statuses.add(status);
      if (status === 200) accepted.push(id);
    }
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  await until(async () => (await send('after@sink.test')).status === 200);
  // A recipient whose outcome was not written is tried again after a minute. The test does not wait for that.
  await until(async () => {
    await sql.query('UPDATE outbound_queue SET due_at = now() WHERE worker_id IS NULL');
    return accepted.every(isDelivered);
  }, 100_000);
});

it('a connection that breaks as it leaves the pool does not end the process', async () => {
  const client = await program.postrider.app.get(Database).pool.connect();

  expect(() => client.emit('error', new Error('terminating connection due to administrator command'))).not.toThrow();

  client.release(true);
});
