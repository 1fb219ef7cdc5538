import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { AutomationSteps, isDone, statusesOf, waits } from '../support/builders/automation-steps.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { isSignedWith, StepReceiver } from '../support/servers/step-receiver.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { until } from '../support/runner/until.js';

const clock = new TestClock();
let program: TestProgram;
let receiver: StepReceiver;
let automations: AutomationSteps;

beforeAll(async () => {
  receiver = await StepReceiver.listen();
  const adapters = new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()).use(Clock, clock);
  program = await startProgram({ ALLOW_PRIVATE_DESTINATIONS: 'true' }, adapters);
  automations = new AutomationSteps(program.resend);
});

afterAll(async () => {
  await program.stop();
  await receiver.close();
});

const post = (path: string, body: object = {}): Promise<Response> =>
  program.request(path, { method: 'POST', body: JSON.stringify(body) });

/** An automation that calls, and notes the answer on the contact. */
async function calling(eventName: string, config: object): Promise<string> {
  const body = {
    name: 'Call',
    status: 'enabled',
    steps: [
      { key: 'start', type: 'trigger', config: { event_name: eventName } },
      { key: 'ask the shop', type: 'webhook', config },
      {
        key: 'in stock',
        type: 'condition',
        config: { type: 'rule', field: 'webhooks.ask the shop.left', operator: 'gt', value: 2 },
      },
      { key: 'note', type: 'contact_update', config: { last_name: { var: 'webhooks.ask the shop.name' } } },
      { key: 'sorry', type: 'contact_update', config: { last_name: 'Nobody answered' } },
    ],
    connections: [
      { from: 'start', to: 'ask the shop' },
      { from: 'ask the shop', to: 'in stock' },
      { from: 'in stock', to: 'note', type: 'condition_met' },
      { from: 'ask the shop', to: 'sorry', type: 'failed' },
    ],
  };
  const response = await post('/automations', body);
  expect(response.status).toBe(201);
  return ((await response.json()) as ParsedJson).id as string;
}

const rotated = async (): Promise<string> => {
  const response = await post('/automations/signing-secret/rotate');
  expect(response.status).toBe(200);
  return ((await response.json()) as ParsedJson).signing_secret as string;
};

it('an answer with NUL and half a surrogate pair in its keys is used without them', async () => {
  const url = receiver.at('/odd', (response) =>
    response.end('{"\\u0000left":5,"\\ud83d":{"a\\u0000":1},"name":"Odd"}'),
  );
  const id = await calling('odd', { url });
  await automations.sent('odd', 'odd@sink.test', {});
  const run = await automations.runThat(id, isDone);
  expect([run.status, run.steps[1].output.answer]).toEqual(['completed', { left: 5, '\ufffd': { a: 1 }, name: 'Odd' }]);
});

const callsLeft = async (): Promise<number> =>
  (await program.postrider.app.get(Database).query({ text: 'SELECT FROM automation_calls' })).length;

it('a call is signed, tells what the step says, and its answer is used', async () => {
  const secret = await rotated();
  const url = receiver.at('/stock', (response) => response.end(JSON.stringify({ left: 3, name: 'Lots' })));
  const id = await calling('stock', {
    url,
    body: { plan: { var: 'event.plan' }, who: { var: 'contact.email' }, n: 5 },
  });
  await automations.sent('stock', 'stock@sink.test', { plan: 'Pro' });
  const run = await automations.runThat(id, isDone);
  expect([run.status, run.steps[1].output]).toEqual([
    'completed',
    { status: 200, attempts: 1, answer: { left: 3, name: 'Lots' } },
  ]);
  expect((await program.resend.contacts.get({ email: 'stock@sink.test' })).data).toMatchObject({ last_name: 'Lots' });
  const [call] = receiver.callsOf('/stock');
  expect(JSON.parse(call?.body ?? '')).toEqual({ plan: 'Pro', who: 'stock@sink.test', n: 5 });
  expect(call?.headers).toMatchObject({ 'content-type': 'application/json', 'svix-id': call?.headers['webhook-id'] });
  expect(call !== undefined && isSignedWith(secret, call)).toBe(true);

  const next = await rotated();
  await automations.sent('stock', 'stock@sink.test', { plan: 'Free' });
  const again = await until(() => receiver.callsOf('/stock')[1]);
  expect([isSignedWith(secret, again), isSignedWith(next, again)]).toEqual([true, true]);
  await until(async () => (await callsLeft()) === 0);
});

it('a call without a body tells of the run and its contact', async () => {
  const url = receiver.at('/plain', (response) => response.end('thanks'));
  const id = await calling('plain', { url });
  await automations.sent('plain', 'plain@sink.test', { plan: 'Pro' });
  const run = await automations.runThat(id, isDone);
  expect(statusesOf(run)).toMatchObject({ 'ask the shop': 'completed', 'in stock': 'completed', note: 'pending' });
  expect(JSON.parse(receiver.callsOf('/plain')[0]?.body ?? '')).toEqual({
    automation_id: id,
    run_id: run.id,
    step_key: 'ask the shop',
    event: { plan: 'Pro' },
    contact: expect.objectContaining({ email: 'plain@sink.test', unsubscribed: false }),
  });
});

it('a call that fails is made again under its id, and the run says why it waits', async () => {
  let answers = 0;
  const url = receiver.at('/flaky', (response) => {
    if (++answers < 3) response.writeHead(500).end();
    else response.end('{"left":9,"name":"Third time"}');
  });
  const id = await calling('flaky', { url });
  await automations.sent('flaky', 'flaky@sink.test');
  const waiting = await automations.runThat(id, ({ postponed_because: because }) => because !== null);
  expect(waits('ask the shop')(waiting)).toBe(true);
  expect(waiting.postponed_because).toBe('The call was answered with HTTP status 500. This was attempt 1 of 8.');
  expect(waiting.next_step_at).not.toBeNull();
  clock.advance(6_000);
  await automations.runThat(id, ({ postponed_because: because }) => String(because).includes('attempt 2 of 8'));
  clock.advance(6 * 60_000);
  const run = await automations.runThat(id, isDone);
  expect(run.steps[1].output).toMatchObject({ attempts: 3 });
  expect(new Set(receiver.callsOf('/flaky').map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

it('a call that always fails leads on along `failed`, or ends the run', async () => {
  const url = receiver.at('/gone', (response) => response.writeHead(410).end('{"error":"gone"}'));
  const id = await calling('gone', { url });
  const alone = await post('/automations', {
    name: 'Alone',
    status: 'enabled',
    connections: [{ from: 'start', to: 'call' }],
    steps: [
      { key: 'start', type: 'trigger', config: { event_name: 'gone' } },
      { key: 'call', type: 'webhook', config: { url } },
    ],
  });
  const { id: aloneId } = (await alone.json()) as ParsedJson;
  await automations.sent('gone', 'gone@sink.test');
  for (let attempt = 1; attempt < 8; attempt++) {
    const failed = ({ postponed_because: because }: ParsedJson): boolean =>
      String(because).includes(`attempt ${attempt} of 8`);
    for (const each of [id, aloneId as string]) await automations.runThat(each, failed);
    clock.advance(11 * 3_600_000 + 1_000);
  }
  const run = await automations.runThat(id, isDone);
  expect([run.status, statusesOf(run)]).toEqual([
    'completed',
    { start: 'completed', 'ask the shop': 'failed', sorry: 'completed', 'in stock': 'pending', note: 'pending' },
  ]);
  expect(run.steps[1].error.message).toBe('The call was answered with HTTP status 410.');
  expect(run.steps[1].output).toEqual({ status: 410, attempts: 8, answer: { error: 'gone' } });
  expect((await automations.runThat(aloneId as string, isDone)).status).toBe('failed');
  expect(await callsLeft()).toBe(0);
}, 90_000);

it('a run that is cancelled leaves no call behind', async () => {
  const url = receiver.at('/down', (response) => response.writeHead(503).end());
  const id = await calling('down', { url });
  await automations.sent('down', 'down@sink.test');
  await automations.runThat(id, ({ postponed_because: because }) => because !== null);
  expect(await callsLeft()).toBe(1);
  await program.resend.automations.stop(id);
  expect(await callsLeft()).toBe(0);
});

it('an answer that is too large, too deep or no JSON is no answer', async () => {
  const large = receiver.at('/large', (response) => response.end(`{"left":9,"name":"${'x'.repeat(70_000)}"}`));
  const deep = receiver.at('/deep', (response) => response.end(`{"left":${'['.repeat(20_000)}${']'.repeat(20_000)}}`));
  for (const [event, url] of Object.entries({ large, deep })) {
    const id = await calling(event, { url });
    await automations.sent(event, `${event}@sink.test`);
    const run = await automations.runThat(id, isDone);
    expect([run.status, run.steps[1].output]).toEqual(['completed', { status: 200, attempts: 1, answer: null }]);
  }
});
