import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ChangeConsent } from '#audience';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Principal } from '#identity';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { AutomationSteps } from '../support/builders/automation-steps.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { until } from '../support/runner/until.js';

const clock = new TestClock();
let program: TestProgram;
let automations: AutomationSteps;
let id: string;

beforeAll(async () => {
  const adapters = new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()).use(Clock, clock);
  program = await startProgram({}, adapters);
  automations = new AutomationSteps(program.resend);
  const template = {
    id: await automations.template({ html: '<p>Hi</p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">x</a>' }),
  };
  const rule = { type: 'rule', field: 'event.plan', operator: 'eq', value: 'pro' };
  const body = JSON.stringify({
    name: 'Counted',
    status: 'enabled',
    settings: { entry: 'once' },
    steps: [
      { key: 'start', type: 'trigger', config: { event_name: 'counted' } },
      { key: 'bought', type: 'goal', config: { event_name: 'paid' } },
      { key: 'pro?', type: 'condition', config: rule },
      { key: 'mail', type: 'send_email', config: { template } },
      { key: 'later', type: 'delay', config: { duration: '1 hour' } },
      { key: 'bad', type: 'contact_update', config: { unsubscribed: { var: 'event.plan' } } },
    ],
    connections: [
      { from: 'start', to: 'bought' },
      { from: 'bought', to: 'pro?' },
      { from: 'pro?', to: 'mail', type: 'condition_met' },
      { from: 'mail', to: 'later' },
      { from: 'pro?', to: 'bad', type: 'condition_not_met' },
    ],
  });
  const response = await program.request('/automations', { method: 'POST', body });
  ({ id } = (await response.json()) as ParsedJson);
});

afterAll(() => program.stop());

const metrics = async (): Promise<ParsedJson> =>
  (await (await program.request(`/automations/${id}/metrics`)).json()) as ParsedJson;
const step = ({ steps }: ParsedJson, key: string): ParsedJson => steps.find((each: ParsedJson) => each.key === key);
const passed = ({ connections }: ParsedJson): unknown =>
  connections.map(({ from, passed: runs }: ParsedJson) => [from, runs]);
const listed = async (query: string): Promise<unknown> => {
  const { data } = (await (await program.request(`/automations/${id}/runs?${query}`)).json()) as ParsedJson;
  return data.map(({ contact_email: email }: ParsedJson) => email).sort();
};

const inList = async (): Promise<unknown> => {
  const { data } = (await (await program.request('/automations')).json()) as ParsedJson;
  return data.find((automation: ParsedJson) => automation.id === id);
};

it('the numbers of an automation follow its runs', async () => {
  expect((await metrics()).runs).toMatchObject({ started: 0, running: 0 });
  expect(await inList()).toMatchObject({ runs: 0, running: 0, emails: 0 });
  for (const name of ['ada', 'bob', 'eve']) await automations.sent('counted', `${name}@sink.test`, { plan: 'pro' });
  await automations.sent('counted', 'free@sink.test', { plan: 'free' });
  await automations.sent('counted', 'ada@sink.test', { plan: 'pro' });
  const waiting = await until(async () => {
    const numbers = await metrics();
    return step(numbers, 'later').waiting === 3 && step(numbers, 'mail').emails.delivered === 3 && numbers;
  });
  expect(await inList()).toMatchObject({ runs: 4, running: 3, emails: 3 });
  expect(waiting).toMatchObject({
    object: 'automation_metrics',
    runs: { started: 4, running: 3, completed: 0, failed: 1, cancelled: 0, not_entered: 1, goals: 0 },
    updated_at: expect.any(String),
  });
  expect(step(waiting, 'bought')).toEqual({
    key: 'bought',
    type: 'goal',
    entered: 4,
    waiting: 3,
    completed: 1,
    failed: 0,
    skipped: 0,
  });
  expect(step(waiting, 'bad')).toMatchObject({ entered: 1, failed: 1 });
  expect(step(waiting, 'mail')).toMatchObject({
    entered: 3,
    completed: 3,
    waiting: 0,
    emails: { sent: 3, delivered: 3, opened: 0, clicked: 0, bounced: 0, complained: 0, unsubscribed: 0 },
  });
  expect(passed(waiting)).toEqual([
    ['start', 4],
    ['bought', 4],
    ['pro?', 3],
    ['mail', 3],
    ['pro?', 1],
  ]);
});

it('the runs behind a number are listed, in pages', async () => {
  expect(await listed('step_key=later&step_status=waiting')).toEqual([
    'ada@sink.test',
    'bob@sink.test',
    'eve@sink.test',
  ]);
  expect(await listed('step_key=bad&step_status=failed')).toEqual(['free@sink.test']);
  expect(await listed('step_key=bad')).toEqual(['free@sink.test']);
  expect(await listed('step_key=mail&step_status=completed&status=failed')).toEqual([]);
  const { data: ada } = await program.resend.contacts.get({ email: 'ada@sink.test' });
  expect(await listed(`contact_id=${ada?.id}`)).toEqual(['ada@sink.test']);
  for (const status of ['running', 'quota_exceeded', 'running,quota_exceeded']) {
    expect(await listed(`contact_id=${ada?.id}&step_key=later&status=${status}`)).toEqual(['ada@sink.test']);
    expect(await listed(`contact_id=${ada?.id}&status=${status}`)).toEqual(['ada@sink.test']);
  }
  const page = async (after: string): Promise<ParsedJson> =>
    (await (
      await program.request(`/automations/${id}/runs?step_key=later&step_status=waiting&limit=2${after}`)
    ).json()) as ParsedJson;
  const first = await page('');
  expect([first.has_more, first.data.length]).toEqual([true, 2]);
  const second = await page(`&after=${first.data[1].id}`);
  expect([second.has_more, second.data.length]).toEqual([false, 1]);
  for (const query of ['step_status=waiting', 'step_key=later&step_status=begun', 'contact_id=ada']) {
    expect((await program.request(`/automations/${id}/runs?${query}`)).status).toBe(422);
  }
});

it('goals, cancelled runs, unsubscribes and erased people are counted', async () => {
  await automations.sent('paid', 'ada@sink.test');
  await until(async () => (await metrics()).runs.goals === 1);
  const bob = (await (
    await program.request(`/automations/${id}/runs?step_key=later&step_status=waiting`)
  ).json()) as ParsedJson;
  const { id: runId, contact_email: email } = bob.data.find((run: ParsedJson) => run.contact_email === 'bob@sink.test');
  await program.request(`/automations/${id}/runs/${runId}/cancel`, { method: 'POST' });
  expect(email).toBe('bob@sink.test');
  const { data: run } = await program.resend.automations.runs.get({ automationId: id, runId: runId as string });
  const emailId = (run?.steps.find(({ key }) => key === 'mail')?.output as ParsedJson).email_id as string;
  const { teamId } = (
    await program.postrider.app.get(Database).query<{ teamId: string }>({
      text: 'SELECT team_id AS "teamId" FROM automations WHERE id = $1',
      values: [id],
    })
  )[0] as { teamId: string };
  // As by the link in the email, twice.
  for (const unsubscribed of [true, false, true]) {
    const change = { address: 'bob@sink.test', unsubscribed, emailId, source: 'link' as const };
    await program.postrider.app.get(ChangeConsent, { strict: false }).change(Principal.ofService(teamId), change);
  }
  const numbers = await metrics();
  expect(numbers.runs).toMatchObject({ started: 4, running: 1, completed: 1, failed: 1, cancelled: 1, goals: 1 });
  expect(step(numbers, 'mail').emails.unsubscribed).toBe(1);
  expect(step(numbers, 'later')).toMatchObject({ entered: 3, waiting: 1, completed: 0, skipped: 2 });
  expect(step(numbers, 'bought')).toMatchObject({ waiting: 1, completed: 2, skipped: 1 });
  await program.request('/privacy/erasures', { method: 'POST', body: JSON.stringify({ email: 'eve@sink.test' }) });
  clock.advance(5_000);
  const erased = await until(async () => {
    const next = await metrics();
    return next.runs.cancelled === 2 && next;
  });
  expect(erased.runs.running).toBe(0);
  expect(step(erased, 'later')).toMatchObject({ waiting: 0, skipped: 3 });
  expect(step(erased, 'bought').waiting).toBe(0);
});

it('a stop cancels the runs, and counts them', async () => {
  await automations.sent('counted', 'kim@sink.test', { plan: 'pro' });
  await until(async () => step(await metrics(), 'later').waiting === 1);
  expect((await program.resend.automations.stop(id)).error).toBeNull();
  const stopped = await metrics();
  expect(stopped.runs).toMatchObject({ running: 0, cancelled: 3 });
  expect(step(stopped, 'later')).toMatchObject({ waiting: 0, skipped: 4 });
});
