import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { largeGraph, largePayload, largestRule } from '../../support/builders/large-automation.js';
import { until } from '../../support/runner/until.js';

const automations = 40;
const events = 20;
let hostile: HostileProgram;

async function post(path: string, given: object | string): Promise<number> {
  const body = typeof given === 'string' ? given : JSON.stringify(given);
  return (await hostile.request(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } }))
    .status;
}

beforeAll(async () => {
  hostile = await startHostileProgram({ RATE_LIMIT_PER_SECOND: '100000' });
  for (let no = 0; no < automations; no++) {
    // More of the largest trees would be beyond the 16 MB that a team may have.
    const graph = largeGraph('flood', 6);
    expect(await post('/automations', { name: `Flood ${no}`, status: 'enabled', ...graph })).toBe(201);
  }
}, 120_000);
afterAll(() => hostile.stop());

it('large payloads, trees of rules and many automations delay nobody else', async () => {
  const { failures, slowestRequestMs } = await hostile.during(async () => {
    for (let no = 0; no < events; no++) {
      expect(
        await post('/events/send', { event: 'flood', email: `victim${no}@attacker.test`, payload: largePayload }),
      ).toBe(202);
    }
    await until(async () => {
      const running = await hostile.query(`SELECT FROM automation_runs WHERE status = 'running'
        UNION ALL SELECT FROM custom_event_occurrences`);
      return running.length === 0;
    }, 100_000);
  });
  const [runs] = await hostile.query<{ count: string }>('SELECT count(*) FROM automation_runs');
  expect(Number(runs?.count)).toBe(automations * events);
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(calmMs);
}, 120_000);

it('hundreds of events at once, each of a name and of a contact that nobody knows, delay nobody else', async () => {
  const { result, failures, slowestRequestMs } = await hostile.during(async () => {
    const answers: number[] = [];
    for (let round = 0; round < 4; round++) {
      const sent = Array.from({ length: 400 }, (_, no) =>
        post('/events/send', { event: `name ${round} ${no}`, contact_id: randomUUID() }),
      );
      answers.push(...(await Promise.all(sent)));
    }
    return answers;
  });
  expect(result.filter((status) => status !== 404 && status !== 429)).toEqual([]);
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(calmMs);
}, 60_000);

it('hundreds of contacts at once, each in many segments, delay nobody else', async () => {
  const segments = await hostile.query<{ id: string }>(
    `INSERT INTO segments (id, team_id, name, created_at, updated_at)
     SELECT gen_random_uuid(), (SELECT team_id FROM automations LIMIT 1), 'Segment ' || no, now(), now()
     FROM generate_series(1, 190) no RETURNING id`,
  );
  const ids = segments.map(({ id }) => id);
  const { result, failures, slowestRequestMs } = await hostile.during(() =>
    Promise.all(
      Array.from({ length: 400 }, (_, no) => post('/contacts', { email: `many${no}@attacker.test`, segments: ids })),
    ),
  );
  expect(result.filter((status) => status !== 201 && status !== 429)).toEqual([]);
  expect(result.filter((status) => status === 201).length).toBeGreaterThanOrEqual(256);
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(calmMs);
}, 60_000);

it('an event that is a goal of many runs, each with many large rules, delays no other events', async () => {
  const rules = Array.from({ length: 50 }, (_, no) => ({
    type: 'rule',
    field: 'event.text',
    operator: 'contains',
    value: `${'a'.repeat(17)}b${no}`,
  }));
  const keys = Array.from({ length: 90 }, (_, no) => `goal ${no}`);
  const aiming = {
    name: 'Aiming',
    status: 'enabled',
    steps: [
      { key: 'start', type: 'trigger', config: { event_name: 'aim' } },
      ...keys.map((key) => ({ key, type: 'goal', config: { event_name: 'hit', filter_rule: { type: 'or', rules } } })),
      { key: 'rest', type: 'delay', config: { duration: '3 days' } },
    ],
    connections: [...keys, 'rest'].map((key, no) => ({ from: no === 0 ? 'start' : `goal ${no - 1}`, to: key })),
  };
  expect(await post('/automations', aiming)).toBe(201);
  const plain = [{ key: 'start', type: 'trigger', config: { event_name: 'plain' } }];
  expect(await post('/automations', { name: 'Plain', status: 'enabled', steps: plain, connections: [] })).toBe(201);
  const runs = 100;
  for (let no = 0; no < runs; no++) await post('/events/send', { event: 'aim', email: 'aim@attacker.test' });
  const resting = `SELECT FROM automation_runs WHERE step_key = 'rest'`;
  await until(async () => (await hostile.query(resting)).length === runs, 60_000);
  const { failures, slowestRequestMs } = await hostile.during(async () => {
    const hit = { event: 'hit', email: 'aim@attacker.test', payload: { text: 'a'.repeat(10_000) } };
    expect(await post('/events/send', hit)).toBe(202);
    expect(await post('/events/send', { event: 'plain', email: 'plain@attacker.test' })).toBe(202);
    const left = `SELECT FROM custom_event_occurrences`;
    await until(async () => (await hostile.query(left)).length === 0, 20_000);
  });
  expect((await hostile.query(resting)).length).toBe(runs);
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(calmMs);
}, 120_000);

it('payloads and graphs beyond the limits are refused quickly', async () => {
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const { failures, slowestRequestMs } = await hostile.during(async () => {
    const deep = `{"event":"flood","email":"a@attacker.test","payload":{"list":${nested}}}`;
    expect(await post('/events/send', deep)).toBe(422);
    expect(await post('/events/batch', `[${deep}]`)).toBe(422);
    const step = `{"key":"start","type":"trigger","config":{"list":${nested}}}`;
    expect(await post('/automations', `{"name":"Deep","steps":[${step}],"connections":[]}`)).toBe(422);
    const long = Array.from({ length: 100_000 }, (_, no) => ({ key: `${no}`, type: 'contact_delete' }));
    expect(await post('/automations', { name: 'Long', steps: long, connections: [] })).toBe(422);
    const { steps, connections } = largeGraph('flood', 149, { ...largestRule, rules: largestRule.rules.slice(0, 1) });
    const circle = [...connections, { from: 'step 148', to: 'step 0', type: 'condition_met' }];
    expect(await post('/automations', { name: 'Circle', steps, connections: circle })).toBe(422);
  });
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(calmMs);
});

it('lists of a hundred automations and a thousand segments with all of their counters, 60 at once, delay nobody else', async () => {
  for (let no = automations; no < 100; no++) {
    const steps = [{ key: 'start', type: 'trigger', config: { event_name: `listed ${no}` } }];
    await post('/automations', { name: `Listed ${no}`, steps, connections: [] });
  }
  const listed = '(SELECT id FROM automations ORDER BY id DESC LIMIT 100) a';
  await hostile.query(
    `INSERT INTO automation_run_counts (automation_id, shard, started) SELECT a.id, shard, 5 FROM ${listed}, generate_series(0, 7) shard
     ON CONFLICT DO NOTHING`,
  );
  await hostile.query(
    `INSERT INTO automation_step_counts (automation_id, step_key, shard, sent)
     SELECT a.id, 'counted ' || no, shard, 5 FROM ${listed}, generate_series(1, 149) no, generate_series(0, 7) shard`,
  );
  await hostile.query(
    `INSERT INTO segments (id, team_id, name, created_at, updated_at)
     SELECT gen_random_uuid(), (SELECT team_id FROM automations LIMIT 1), 'Listed ' || no, now(), now() FROM generate_series(1, 800) no`,
  );
  await hostile.query(
    `INSERT INTO segment_sizes (segment_id, shard, contacts) SELECT id, shard, 5 FROM segments, generate_series(0, 31) shard
     ON CONFLICT DO NOTHING`,
  );
  const list = async (path: string): Promise<number> => {
    const response = await hostile.request(path);
    await response.text();
    return response.status;
  };
  const { result, failures, slowestRequestMs, slowestDeliveryMs } = await hostile.during(() =>
    Promise.all(Array.from({ length: 60 }, (_, no) => list(no % 2 === 0 ? '/automations?limit=100' : '/segments'))),
  );
  expect(result.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
  expect(result).toContain(200);
  expect(failures).toEqual([]);
  expect(slowestRequestMs).toBeLessThan(calmMs);
  expect(slowestDeliveryMs).toBeLessThan(calmMs);
}, 120_000);
