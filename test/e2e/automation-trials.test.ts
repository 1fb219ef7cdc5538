import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { AutomationSteps, isDone, waits } from '../support/builders/automation-steps.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { stretched } from '../support/runner/stretched.js';

const clock = new TestClock();
const transport = new InMemoryDeliveryTransport();
let program: TestProgram;
let automations: AutomationSteps;
let graph: { readonly steps: readonly object[]; readonly connections: readonly object[] };

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, transport).use(Clock, clock));
  automations = new AutomationSteps(program.resend);
  const template = { id: await automations.template(), variables: { PLAN: { var: 'event.plan' } } };
  await program.resend.contactProperties.create({ key: 'stage', type: 'string' });
  const { data: segment } = await program.resend.segments.create({ name: 'Tried' });
  const rule = (field: string, value: unknown) => ({ type: 'rule', field, operator: 'eq', value });
  graph = {
    steps: [
      { key: 'start', type: 'trigger', config: { event_name: 'tried' } },
      { key: 'pro?', type: 'condition', config: rule('event.plan', 'Pro') },
      { key: 'half', type: 'split', config: { percent: 50 } },
      { key: 'remember', type: 'contact_update', config: { properties: { stage: { var: 'event.plan' } } } },
      { key: 'join', type: 'add_to_segment', config: { segment_id: segment?.id } },
      { key: 'hello', type: 'send_email', config: { template } },
      { key: 'bought', type: 'goal', config: { event_name: 'bought' } },
      { key: 'wait', type: 'wait_for_event', config: { event_name: 'ordered', timeout: '2 hours' } },
      { key: 'thanks', type: 'contact_update', config: { last_name: { var: 'wait_events.ordered.reference' } } },
      { key: 'sorry', type: 'contact_update', config: { last_name: 'Late' } },
      { key: 'tell', type: 'send_event', config: { event_name: 'told', payload: { plan: { var: 'event.plan' } } } },
    ],
    connections: [
      { from: 'start', to: 'pro?' },
      { from: 'pro?', to: 'half', type: 'condition_met' },
      { from: 'half', to: 'remember', type: 'condition_met' },
      { from: 'half', to: 'join', type: 'condition_not_met' },
      { from: 'pro?', to: 'join', type: 'condition_not_met' },
      { from: 'remember', to: 'hello' },
      { from: 'join', to: 'hello' },
      { from: 'hello', to: 'bought' },
      { from: 'bought', to: 'wait' },
      { from: 'wait', to: 'thanks', type: 'event_received' },
      { from: 'wait', to: 'sorry', type: 'timeout' },
      { from: 'thanks', to: 'tell' },
      { from: 'sorry', to: 'tell' },
    ],
  };
});

afterAll(() => program.stop());

async function tried(body: object, headers: Record<string, string> = {}): Promise<ParsedJson> {
  const response = await program.request('/automations/try', { method: 'POST', body: JSON.stringify(body), headers });
  const answer = (await response.json()) as ParsedJson;
  return { status: response.status, answer };
}

const outcomes = (steps: readonly ParsedJson[]): unknown =>
  Object.fromEntries(
    steps.filter(({ status }) => status !== 'pending').map(({ key, status }) => [key as string, status as string]),
  );

it.each([
  ['Pro', 'ordered'],
  ['Pro', 'bought'],
  ['Free', undefined],
])('a trial goes the way that a run goes: a plan of %s, and %s', async (plan, event) => {
  const email = `${plan}-${event ?? 'nothing'}@sink.test`.toLowerCase();
  const { data: contact } = await program.resend.contacts.create({ email, firstName: 'Ada' });
  const events = event === undefined ? [] : [{ after: '1 hour', event_name: event, payload: { reference: 'R1' } }];
  const { answer: trial } = await tried({ ...graph, contact_id: contact?.id, payload: { plan }, events });
  expect((await program.resend.contacts.get({ email })).data).toMatchObject({ last_name: null, properties: {} });
  expect(transport.delivered.filter(({ recipients }) => recipients.includes(email))).toEqual([]);

  const body = JSON.stringify({ name: 'Tried', status: 'enabled', ...graph });
  const created = await program.request('/automations', { method: 'POST', body });
  const { id } = (await created.json()) as ParsedJson;
  await automations.sent('tried', email, { plan });
  await automations.runThat(id, waits('wait'));
  if (event !== undefined) await automations.sent(event, email, { reference: 'R1' });
  else clock.advance(121 * 60_000);
  const run = await automations.runThat(id, isDone);
  await program.resend.automations.remove(id);

  expect([trial.status, outcomes(trial.steps)]).toEqual([run.status, outcomes(run.steps)]);
  const { data: after } = await program.resend.contacts.get({ email });
  expect(trial.contact).toMatchObject({ first_name: after?.first_name, last_name: after?.last_name });
  const emailId = run.steps.find(({ key }: ParsedJson) => key === 'hello').output.email_id as string;
  const { data: sent } = await program.resend.emails.get(emailId);
  expect(trial.emails).toEqual([
    {
      step_key: 'hello',
      template_id: expect.any(String),
      subject: sent?.subject,
      html: sent?.html,
      text: null,
      from: testSender,
    },
  ]);
  expect(sent?.html).toContain(`${plan} plan, Ada`);
});

it('a trial explains each step, and stores nothing', async () => {
  const contact = { email: 'made@up.test', first_name: 'Eve', properties: { stage: 'new' } };
  const request = { ...graph, contact, payload: { plan: 'Free' }, start_at: '2026-07-01T12:00:00Z' };
  const { status, answer } = await tried({ ...request, settings: { quiet_hours: { from: '11:00', to: '14:00' } } });
  expect([status, answer.status]).toEqual([200, 'completed']);
  expect(answer.steps.map(({ key, explanation }: ParsedJson) => [key, explanation])).toEqual([
    ['start', '"tried" begins the run.'],
    ['pro?', 'event.plan is "Free", not "Pro", so the condition is not met.'],
    ['join', 'The contact is added to the segment.'],
    ['hello', expect.stringMatching(/^These are quiet hours until 2026-07-01 14:00 \(UTC\)\. The email "Welcome"/)],
    ['bought', '"bought" has not happened before the end of the run.'],
    ['wait', '"ordered" does not happen until 2026-07-01 16:00 (UTC), so the time is over.'],
    ['sorry', 'The contact changes: last_name = "Late".'],
    ['tell', 'The event "told" is sent. What follows from it is not tried.'],
  ]);
  expect(answer.contact).toMatchObject({ email: 'made@up.test', last_name: 'Late', properties: { stage: 'new' } });
  expect((await program.resend.contacts.get({ email: 'made@up.test' })).error?.statusCode).toBe(404);
});

it('a trial is refused with the reason, and knows no contacts of other teams', async () => {
  const refused = async (more: object): Promise<unknown> => {
    const { status, answer } = await tried({ ...graph, ...more });
    return [status, answer.message];
  };
  const said = (text: string): unknown => expect.stringContaining(text);
  expect(await refused({ steps: [] })).toEqual([422, said('needs a trigger')]);
  expect(await refused({ trigger: 'hello' })).toEqual([422, said('names no trigger')]);
  expect(await refused({ email: 'a@b.test', contact: {} })).toEqual([422, said('at most one of')]);
  expect(await refused({ events: [{ after: 'soon', event_name: 'x' }] })).toEqual([422, said('`after`')]);
  expect(await refused({ start_at: 'now' })).toEqual([422, said('`start_at`')]);
  expect(await refused({ contact: { properties: { none: 1 } } })).toEqual([422, said('`none`')]);
  const { data: mine } = await program.resend.contacts.create({ email: 'mine@sink.test' });
  const { apiKey } = await addSecondTeam(program.postrider.app);
  const other = await tried({ ...graph, contact_id: mine?.id }, { authorization: `Bearer ${apiKey}` });
  expect([other.status, other.answer.message]).toEqual([404, 'Contact not found']);
});

it('the longest automation is tried in a moment', async () => {
  const keys = Array.from({ length: 149 }, (_, no) => `step ${no}`);
  const rules = Array.from({ length: 50 }, () => ({
    type: 'rule',
    field: 'event.text',
    operator: 'contains',
    value: `${'a'.repeat(500)}b${'a'.repeat(400)}`,
  }));
  const body = {
    steps: [
      { key: 'start', type: 'trigger', config: { event_name: 'x' } },
      ...keys.map((key, no) => ({ key, type: 'condition', config: no < 15 ? { type: 'or', rules } : rules[0] })),
    ],
    connections: keys.map((key, no) => ({
      from: no === 0 ? 'start' : `step ${no - 1}`,
      to: key,
      type: no === 0 ? 'default' : 'condition_not_met',
    })),
    payload: { text: 'a'.repeat(60_000) },
  };
  const startedAt = performance.now();
  const { answer } = await tried(body);
  expect([answer.steps.length, answer.status]).toEqual([150, 'completed']);
  expect(performance.now() - startedAt).toBeLessThan(stretched(5_000));
});

it('many goals with large rules and many events are refused soon', async () => {
  const keys = Array.from({ length: 148 }, (_, no) => `goal ${no}`);
  const rules = Array.from({ length: 50 }, (_, no) => ({
    type: 'rule',
    field: 'event.text',
    operator: 'contains',
    value: `${'a'.repeat(17)}b${no}`,
  }));
  const body = {
    steps: [
      { key: 'start', type: 'trigger', config: { event_name: 'x' } },
      ...keys.map((key) => ({ key, type: 'goal', config: { event_name: 'y', filter_rule: { type: 'or', rules } } })),
    ],
    connections: keys.map((key, no) => ({ from: no === 0 ? 'start' : `goal ${no - 1}`, to: key })),
    events: Array.from({ length: 50 }, () => ({ event_name: 'y', payload: { text: 'a'.repeat(10_000) } })),
  };
  const startedAt = performance.now();
  const { answer } = await tried(body);
  expect([answer.status, JSON.stringify(answer.steps)]).toEqual(['failed', expect.stringContaining('take too long')]);
  expect(performance.now() - startedAt).toBeLessThan(stretched(5_000));
});
