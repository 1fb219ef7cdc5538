import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { AutomationSteps, isDone, statusesOf, waits } from '../support/builders/automation-steps.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { until } from '../support/runner/until.js';

const clock = new TestClock();
let program: TestProgram;
let automations: AutomationSteps;
let mail: object;

beforeAll(async () => {
  const adapters = new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()).use(Clock, clock);
  program = await startProgram({}, adapters);
  automations = new AutomationSteps(program.resend);
  mail = { template: { id: await automations.template() } };
});

afterAll(() => program.stop());

interface Step {
  readonly key: string;
  readonly type: string;
  readonly config?: object;
}

/** An enabled automation with these steps one after the other. */
async function enabled(eventName: string, steps: readonly Step[], settings?: object): Promise<string> {
  const all = [{ key: 'start', type: 'trigger', config: { event_name: eventName } }, ...steps];
  const connections = steps.map(({ key }, no) => ({ from: all[no]?.key, to: key }));
  const body = JSON.stringify({ name: 'Test', status: 'enabled', steps: all, connections, settings });
  const response = await program.request('/automations', { method: 'POST', body });
  expect(response.status).toBe(201);
  return ((await response.json()) as ParsedJson).id as string;
}

const runs = async (id: string): Promise<number> => (await automations.runsOf(id)).length;
const later: Step = { key: 'later', type: 'delay', config: { duration: '1 hour' } };

describe('a goal', () => {
  it('ends the runs of a contact with its event, and others go on', async () => {
    const rule = { type: 'rule', field: 'event.total', operator: 'gt', value: 10 };
    const goal = { key: 'bought', type: 'goal', config: { event_name: 'goal.paid', filter_rule: rule } };
    const id = await enabled('goal.begun', [goal, later, { key: 'ask', type: 'send_email', config: mail }]);
    await automations.sent('goal.begun', 'goal@sink.test');
    await automations.runThat(id, waits('later'));
    await automations.sent('goal.paid', 'goal@sink.test', { total: 5 });
    await automations.sent('goal.paid', 'other@sink.test', { total: 50 });
    await automations.sent('goal.paid', 'goal@sink.test', { total: 50 });
    const reached = await automations.runThat(id, isDone);
    expect([reached.status, statusesOf(reached)]).toEqual([
      'completed',
      { start: 'completed', bought: 'completed', later: 'skipped', ask: 'pending' },
    ]);
    expect(reached.steps[1].output).toEqual({ reached: true });

    await automations.sent('goal.begun', 'goal@sink.test');
    await automations.runThat(id, waits('later'));
    clock.advance(61 * 60_000);
    const missed = await automations.runThat(id, isDone);
    expect(statusesOf(missed)).toEqual({
      start: 'completed',
      bought: 'completed',
      later: 'completed',
      ask: 'completed',
    });
    expect(missed.steps[1].output).toEqual({ reached: false });
    await automations.sent('goal.paid', 'goal@sink.test', { total: 50 });
  });

  it('may be something that happens to an email of the run', async () => {
    const goal = { key: 'arrived', type: 'goal', config: { event_name: 'resend:email.delivered' } };
    const id = await enabled('goal.mailed', [{ key: 'mail', type: 'send_email', config: mail }, goal, later]);
    await automations.sent('goal.mailed', 'mailed@sink.test');
    const run = await automations.runThat(id, isDone);
    expect(run.steps.find(({ key }: ParsedJson) => key === 'arrived').output).toEqual({ reached: true });
  });
});

it('a run waits until a time of day in the zone of the contact', async () => {
  await program.resend.contactProperties.create({ key: 'time_zone', type: 'string' });
  await program.resend.contacts.create({ email: 'tokyo@sink.test', properties: { time_zone: 'Asia/Tokyo' } });
  const id = await enabled('until', [
    { key: 'morning', type: 'wait_until', config: { time: '09:00', time_zone: 'UTC' } },
  ]);
  const nextAt = async (email: string): Promise<string> => {
    await automations.sent('until', email);
    const waiting = (run: ParsedJson): boolean => waits('morning')(run) && run.contact_email === email;
    const { next_step_at: at } = await automations.runThat(id, waiting);
    return (at as string).slice(11, 19);
  };
  expect(await nextAt('tokyo@sink.test')).toBe('00:00:00');
  expect(await nextAt('nowhere@sink.test')).toBe('09:00:00');
});

describe('an event that a run sends', () => {
  it('begins other runs with its payload', async () => {
    const config = { event_name: 'told', payload: { plan: { var: 'event.plan' }, kind: 'chained' } };
    await enabled('tell', [{ key: 'tell', type: 'send_event', config }]);
    const other = await enabled('told', [
      { key: 'name', type: 'contact_update', config: { first_name: { var: 'event.plan' } } },
    ]);
    await automations.sent('tell', 'told@sink.test', { plan: 'Pro' });
    await automations.runThat(other, isDone);
    expect((await program.resend.contacts.get({ email: 'told@sink.test' })).data).toMatchObject({ first_name: 'Pro' });
  });

  it('ends a circle, with the reason', async () => {
    const id = await enabled('circle', [{ key: 'again', type: 'send_event', config: { event_name: 'circle' } }]);
    await automations.sent('circle', 'circle@sink.test');
    const { status, steps } = await automations.runThat(id, ({ status: each }) => each === 'failed');
    expect([status, steps[1].error.message]).toEqual(['failed', expect.stringContaining('circle')]);
    expect(await runs(id)).toBe(11);
  });

  it('is checked against its schema', async () => {
    await program.resend.events.create({ name: 'checked', schema: { total: 'number' } });
    const config = { event_name: 'checked', payload: { total: 'many' } };
    const id = await enabled('check', [{ key: 'send', type: 'send_event', config }]);
    await automations.sent('check', 'checked@sink.test');
    const { steps } = await automations.runThat(id, isDone);
    expect(steps[1].error.message).toContain('must be a number');
  });
});

it('a call never leads into the network of the service', async () => {
  const call = { key: 'call', type: 'webhook', config: { url: 'https://localhost/' } };
  const id = await enabled('inward', [call]);
  await automations.sent('inward', 'inward@sink.test');
  const { status, steps } = await automations.runThat(id, isDone);
  expect([status, steps[1].error.message]).toEqual(['failed', 'The URL leads to an address that is not public.']);
  for (const url of ['http://example.com/', 'https://127.0.0.1/', 'https://[::1]/', 'ftp://example.com/']) {
    const steps = [
      { key: 'start', type: 'trigger', config: { event_name: 'inward' } },
      { key: 'call', type: 'webhook', config: { url } },
    ];
    const body = JSON.stringify({ name: 'Inward', steps, connections: [{ from: 'start', to: 'call' }] });
    expect((await program.request('/automations', { method: 'POST', body })).status).toBe(422);
  }
});

describe('settings', () => {
  it('are read, changed and copied', async () => {
    const settings = { entry: 'after', entry_after: '2 days', quiet_hours: { from: '21:00', to: '08:00' } };
    const all = { ...settings, max_emails_per_day: 3, time_zone: 'Europe/Berlin' };
    const id = await enabled('settings', [], all);
    const read = async (which: string): Promise<unknown> =>
      ((await (await program.request(`/automations/${which}`)).json()) as ParsedJson).settings;
    expect(await read(id)).toEqual(all);
    const { data: copy } = await program.resend.automations.duplicate(id);
    expect(await read(copy?.id ?? '')).toEqual(all);
    const patch = (body: object): Promise<Response> =>
      program.request(`/automations/${id}`, { method: 'PATCH', body: JSON.stringify(body) });
    expect((await patch({ settings: { entry: 'once' } })).status).toBe(200);
    const usual = { entry_after: null, quiet_hours: null, max_emails_per_day: null, time_zone: null };
    expect(await read(id)).toEqual({ entry: 'once', ...usual });
    expect((await patch({ settings: { entry: 'never' } })).status).toBe(422);
    expect(await read(id)).toEqual({ entry: 'once', ...usual });
  });

  it('say how often a contact enters', async () => {
    const once = await enabled('enter', [], { entry: 'once' });
    const after = await enabled('enter', [], { entry: 'after', entry_after: '2 hours' });
    const each = await enabled('enter', []);
    const send = async (times: number): Promise<void> => {
      await automations.sent('enter', 'enters@sink.test');
      await until(async () => (await runs(each)) === times);
    };
    await send(1);
    await send(2);
    expect([await runs(once), await runs(after)]).toEqual([1, 1]);
    clock.advance(121 * 60_000);
    await send(3);
    await send(4);
    expect([await runs(once), await runs(after)]).toEqual([1, 2]);
    await automations.sent('enter', 'another@sink.test');
    await until(async () => (await runs(once)) === 2);
    const patched = await program.request(`/automations/${each}`, {
      method: 'PATCH',
      body: JSON.stringify({ settings: { entry: 'once' } }),
    });
    expect(patched.status).toBe(200);
    clock.advance(121 * 60_000);
    await automations.sent('enter', 'enters@sink.test');
    await until(async () => (await runs(after)) === 4);
    // It has been in it before that was asked for.
    expect(await runs(each)).toBe(5);
  });

  it('hold emails back in quiet hours', async () => {
    const hour = (ms: number): string =>
      `${new Date(clock.now().getTime() + ms * 3_600_000).toISOString().slice(11, 13)}:00`;
    const quiet = { from: hour(-1), to: hour(2) };
    const id = await enabled('quiet', [{ key: 'mail', type: 'send_email', config: mail }], { quiet_hours: quiet });
    await automations.sent('quiet', 'quiet@sink.test');
    const run = await automations.runThat(id, ({ postponed_because: because }) => because !== null);
    expect(run.postponed_because).toContain('quiet hours');
    expect((run.next_step_at as string).slice(11, 16)).toBe(quiet.to);
    clock.advance(2 * 3_600_000);
    expect(statusesOf(await automations.runThat(id, isDone))).toMatchObject({ mail: 'completed' });
  });

  it('limit the emails that a contact gets in a day, over all automations', async () => {
    const step = (key: string): Step => ({ key, type: 'send_email', config: mail });
    const limited = await enabled('limited', [step('one'), step('two'), step('three')], { max_emails_per_day: 2 });
    const other = await enabled('limited.before', [step('one')]);
    await automations.sent('limited.before', 'limited@sink.test');
    await automations.runThat(other, isDone);
    await automations.sent('limited', 'limited@sink.test');
    const run = await automations.runThat(limited, ({ postponed_because: because }) => because !== null);
    expect([run.postponed_because, statusesOf(run)]).toEqual([
      expect.stringContaining('2 automated emails today'),
      { start: 'completed', one: 'completed', two: 'waiting', three: 'pending' },
    ]);
    clock.advance(24 * 3_600_000);
    expect(statusesOf(await automations.runThat(limited, isDone))).toMatchObject({
      two: 'completed',
      three: 'completed',
    });
  });
});
