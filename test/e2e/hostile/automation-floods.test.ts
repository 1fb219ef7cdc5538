import { AddressInfo, createServer, Server, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { testApiKey } from '../../support/programs/program.js';
import { StepReceiver } from '../../support/servers/step-receiver.js';
import { until } from '../../support/runner/until.js';
import { stretched } from '../../support/runner/stretched.js';

/** A run of another customer, from the event through a call to the end of the run. */
const neighbourMs = stretched(3_000);

let hostile: HostileProgram;
let receiver: StepReceiver;
let silent: Server;
let silentUrl: string;
const held = new Set<Socket>();

beforeAll(async () => {
  [hostile, receiver] = await Promise.all([startHostileProgram(), StepReceiver.listen()]);
  // It takes connections. What comes on them is never answered, or with one byte a second.
  silent = createServer((socket) => {
    held.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (said) => {
      if (!said.toString('latin1').includes('/dripping')) return;
      socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
      const drip = setInterval(() => socket.write('a'), 1_000);
      socket.on('close', () => clearInterval(drip));
    });
  });
  await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready));
  silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const url = receiver.at('/neighbour', (response) => response.writeHead(200).end('{}'));
  await automation('neighbour', [{ key: 'call', type: 'webhook', config: { url } }], asNeighbour);
});

afterAll(async () => {
  for (const socket of held) socket.destroy();
  silent.close();
  await receiver.close();
  await hostile.stop();
});

const asNeighbour = { authorization: `Bearer ${testApiKey}` };

async function post(path: string, given: object, headers = {}): Promise<{ status: number; id: string }> {
  const response = await hostile.request(path, { method: 'POST', body: JSON.stringify(given), headers });
  return { status: response.status, id: ((await response.json()) as { id: string }).id };
}

/** An enabled automation with the steps one after the other. Returns its id. */
async function automation(
  eventName: string,
  steps: readonly { key: string; type: string; config: object }[],
  headers = {},
): Promise<string> {
  const all = [{ key: 'start', type: 'trigger', config: { event_name: eventName } }, ...steps];
  const connections = steps.map(({ key }, no) => ({ from: all[no]?.key, to: key }));
  const { status, id } = await post(
    '/automations',
    { name: eventName, status: 'enabled', steps: all, connections },
    headers,
  );
  expect(status).toBe(201);
  return id;
}

async function sendFlood(event: string, count: number): Promise<void> {
  const payload = { text: 'x'.repeat(1_000) };
  for (let no = 0; no < count; no++) {
    expect((await post('/events/send', { event, email: `flood${no}@attacker.test`, payload })).status).toBe(202);
  }
}

/** Durations in ms of runs of another customer, one after the other. */
async function neighbours(runs: number): Promise<number[]> {
  const durations: number[] = [];
  for (let no = 0; no < runs; no++) {
    const startedAt = performance.now();
    const email = `neighbour${no}.${startedAt}@good.test`;
    expect((await post('/events/send', { event: 'neighbour', email }, asNeighbour)).status).toBe(202);
    const ended = `SELECT FROM automation_runs WHERE contact_email = $1 AND status = 'completed'`;
    await until(async () => (await hostile.query(ended, [email])).length === 1);
    durations.push(performance.now() - startedAt);
  }
  return durations;
}

async function expectCalm(flood: () => Promise<void>, runs = 5): Promise<void> {
  const { result, failures, slowestRequestMs, slowestDeliveryMs } = await hostile.during(async () => {
    await flood();
    return neighbours(runs);
  });
  expect(Math.max(...result)).toBeLessThan(neighbourMs);
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(calmMs);
  expect(slowestDeliveryMs).toBeLessThan(calmMs);
}

it('an automation that sends its own event four times in each run delays nobody else, and ends', async () => {
  const again = Array.from({ length: 4 }, (_, no) => ({
    key: `again ${no}`,
    type: 'send_event',
    config: { event_name: 'circle' },
  }));
  const id = await automation('circle', again);
  await expectCalm(() => sendFlood('circle', 20));
  expect((await post(`/automations/${id}/stop`, {})).status).toBe(200);
  await until(async () => (await hostile.query('SELECT FROM custom_event_occurrences LIMIT 1')).length === 0, 60_000);
  const [deepest] = await hostile.query<{ depth: number }>('SELECT max(depth) AS depth FROM automation_runs');
  expect(deepest?.depth).toBeLessThanOrEqual(11);
}, 180_000);

it('an automation that sends its own event 140 times in each run begins a bounded number of runs, which say why', async () => {
  const again = Array.from({ length: 140 }, (_, no) => ({
    key: `again ${no}`,
    type: 'send_event',
    config: { event_name: 'wide circle' },
  }));
  const id = await automation('wide circle', again);
  await expectCalm(() => sendFlood('wide circle', 1));
  const left = `SELECT FROM custom_event_occurrences WHERE event_name = 'wide circle'
    UNION ALL SELECT FROM automation_runs WHERE automation_id = $1 AND completed_at IS NULL LIMIT 1`;
  await until(async () => (await hostile.query(left, [id])).length === 0, 120_000);
  const [counted] = await hostile.query<{ runs: number }>(
    'SELECT count(*)::int AS runs FROM automation_runs WHERE automation_id = $1',
    [id],
  );
  // Its own run, those that it may cause, and those that are refused.
  expect(counted?.runs).toBeLessThanOrEqual(1 + 1_000 + 100);
  expect(counted?.runs).toBeGreaterThan(500);
  const runs = await hostile.request(`/automations/${id}/runs?status=failed&limit=1`);
  const [failed] = ((await runs.json()) as { data: { id: string }[] }).data;
  const run = await hostile.request(`/automations/${id}/runs/${failed?.id}`);
  expect(JSON.stringify(await run.json())).toContain('1000 runs that follow from one event');
}, 240_000);

it('eight trials at once with large conditions delay nobody else, and end in time', async () => {
  const value = `${'a'.repeat(199)}b`;
  const rules = Array.from({ length: 50 }, () => ({ type: 'rule', field: 'event.text', operator: 'contains', value }));
  const conditions = Array.from({ length: 30 }, (_, no) => ({
    key: `no ${no}`,
    type: 'condition',
    config: { type: 'or', rules },
  }));
  const steps = [{ key: 'start', type: 'trigger', config: { event_name: 'tried' } }, ...conditions];
  const connections = conditions.map(({ key }, no) => ({
    from: steps[no]?.key,
    to: key,
    type: no === 0 ? 'default' : 'condition_not_met',
  }));
  const trial = { steps, connections, contact: { email: 'a@attacker.test' }, payload: { text: 'a'.repeat(60_000) } };
  await expectCalm(async () => {
    for (let round = 0; round < 5; round++) {
      const tried = await Promise.all(Array.from({ length: 8 }, () => post('/automations/try', trial)));
      for (const { status } of tried) expect([200, 422, 429, 503]).toContain(status);
    }
  });
}, 120_000);

it('calls to hosts that are silent or drip delay the calls of nobody else', async () => {
  await automation('silence', [{ key: 'call', type: 'webhook', config: { url: `${silentUrl}/silent` } }]);
  await automation('drips', [{ key: 'call', type: 'webhook', config: { url: `${silentUrl}/dripping` } }]);
  await expectCalm(async () => {
    await sendFlood('silence', 100);
    await sendFlood('drips', 100);
    await until(() => held.size > 0);
  });
}, 120_000);

it('runs of 149 steps that change a contact delay nobody else', async () => {
  const steps = Array.from({ length: 149 }, (_, no) => ({
    key: `change ${no}`,
    type: 'contact_update',
    config: { first_name: `${no}` },
  }));
  await automation('changes', steps);
  await expectCalm(() => sendFlood('changes', 200));
}, 120_000);

it('batches of a hundred large events, each of which starts a run, delay nobody else', async () => {
  await automation('batched', [{ key: 'wait', type: 'delay', config: { duration: '1 hour' } }]);
  const payload = { text: 'x'.repeat(10_000) };
  const batch = (no: number): object =>
    Array.from({ length: 100 }, (_, event) => ({ event: 'batched', email: `b${no}.${event}@attacker.test`, payload }));
  let refused = 0;
  await expectCalm(async () => {
    for (let round = 0; round < 10; round++) {
      const sent = await Promise.all(
        Array.from({ length: 6 }, (_, no) => post('/events/batch', batch(round * 6 + no))),
      );
      const statuses = sent.map(({ status }) => status);
      expect(statuses.filter((status) => status !== 202 && status !== 429)).toEqual([]);
      refused += statuses.filter((status) => status === 429).length;
    }
  });
  // What was taken begins, and nothing else.
  const begun = `SELECT FROM automation_runs WHERE trigger_key = 'start' AND contact_email LIKE 'b%@attacker.test'`;
  await until(async () => (await hostile.query(begun)).length === (60 - refused) * 100, 60_000);
}, 180_000);
