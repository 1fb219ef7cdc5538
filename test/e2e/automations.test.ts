import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { until } from '../support/runner/until.js';

const transport = new InMemoryDeliveryTransport();
const clock = new TestClock();
let program: TestProgram;
let resend: Resend;
let template: string;

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, transport).use(Clock, clock));
  resend = program.resend;
  template = await publishedTemplate({ html: '<p>Welcome to {{{PLAN|our}}} plan, {{{FIRST_NAME|friend}}}</p>' });
});

afterAll(() => program.stop());

type Steps = Parameters<Resend['automations']['create']>[0]['steps'];
type Connections = Parameters<Resend['automations']['create']>[0]['connections'];

async function publishedTemplate(fields: object): Promise<string> {
  const content = {
    name: 'Welcome',
    subject: 'Welcome',
    from: testSender,
    html: '<p>Welcome</p>',
    variables: [{ key: 'PLAN', type: 'string' as const, fallbackValue: 'our' }],
  };
  const { data, error } = await resend.templates.create({ ...content, ...fields });
  expect(error).toBeNull();
  expect((await resend.templates.publish(data?.id as string)).error).toBeNull();
  return data?.id as string;
}

/** The steps one after the other, after a trigger with the event of this name. */
function chain(eventName: string, ...steps: Steps): { steps: Steps; connections: Connections } {
  const all: Steps = [{ key: 'start', type: 'trigger', config: { eventName } }, ...steps];
  return { steps: all, connections: steps.map(({ key }, no) => ({ from: all[no]?.key as string, to: key })) };
}

async function enabled(graph: { steps: Steps; connections: Connections }): Promise<string> {
  const { data, error } = await resend.automations.create({ name: 'Test', status: 'enabled', ...graph });
  expect(error).toBeNull();
  return data?.id as string;
}

async function sent(event: string, email: string, payload?: Record<string, unknown>): Promise<void> {
  const { data, error } = await resend.events.send({ event, email, payload });
  expect({ data, error }).toEqual({ data: { object: 'event', event }, error: null });
}

async function runsOf(automationId: string): Promise<readonly ParsedJson[]> {
  const { data } = await resend.automations.runs.list({ automationId, limit: 100 });
  return (data?.data ?? []) as unknown as ParsedJson[];
}

/** The only run of an automation, once it is as expected. */
function runThat(automationId: string, isExpected: (run: ParsedJson) => boolean): Promise<ParsedJson> {
  return until(async () => {
    const [run] = await runsOf(automationId);
    if (run === undefined) return undefined;
    const { data } = await resend.automations.runs.get({ automationId, runId: run.id as string });
    const whole = data as unknown as ParsedJson;
    return isExpected(whole) && whole;
  });
}

const isDone = ({ status }: ParsedJson): boolean => status !== 'running';
const waits =
  (key: string) =>
  ({ steps }: ParsedJson): boolean =>
    steps.some((step: ParsedJson) => step.key === key && step.status === 'waiting');
const statuses = ({ steps }: ParsedJson): unknown =>
  Object.fromEntries(steps.map(({ key, status }: ParsedJson) => [key, status]));
const mailTo = (address: string): number =>
  transport.delivered.filter(({ recipients }) => recipients.includes(address)).length;

describe('events', () => {
  it('are defined, read, changed and removed', async () => {
    const { data: created } = await resend.events.create({ name: 'order.paid', schema: { total: 'number' } });
    expect(created).toEqual({ object: 'event', id: expect.any(String) });
    const { data: byName } = await resend.events.get('order.paid');
    expect(byName).toMatchObject({ object: 'event', id: created?.id, schema: { total: 'number' }, updated_at: null });
    expect((await resend.events.update('order.paid', { schema: null })).data).toEqual(created);
    expect((await resend.events.get(created?.id as string)).data).toMatchObject({ schema: null });
    expect((await resend.events.list()).data?.data).toEqual([expect.objectContaining({ name: 'order.paid' })]);
    expect((await resend.events.create({ name: 'order.paid' })).error?.message).toContain('exists already');
    expect((await resend.events.remove('order.paid')).data).toEqual({ ...created, deleted: true });
    expect((await resend.events.get('order.paid')).error).toMatchObject({
      statusCode: 404,
      message: 'Event not found',
    });
  });

  it('are found by names with slashes, spaces and signs', async () => {
    for (const name of ['shop/order paid', 'a+b', '100% öffentlich']) {
      const { data } = await resend.events.create({ name });
      expect((await resend.events.get(name)).data?.id).toBe(data?.id);
    }
    // Ruby writes a space as a plus.
    const response = await program.request('/events/shop%2Forder+paid');
    expect(((await response.json()) as ParsedJson).name).toBe('shop/order paid');
  });

  it('are refused with payloads that do not fit, without a contact, and with two', async () => {
    await resend.events.create({ name: 'typed', schema: { total: 'number' } });
    const refused = async (body: object): Promise<unknown> => {
      const response = await program.request('/events/send', { method: 'POST', body: JSON.stringify(body) });
      const { name, message } = (await response.json()) as ParsedJson;
      return [response.status, name, message];
    };
    const email = 'ada@sink.test';
    expect(await refused({ event: 'typed', email, payload: { total: 'many' } })).toEqual([
      422,
      'validation_error',
      'The `total` of the `payload` must be a number.',
    ]);
    expect(await refused({ event: 'typed' })).toEqual([
      422,
      'validation_error',
      expect.stringContaining('exactly one'),
    ]);
    expect(await refused({ event: 'typed', email, contact_id: program.url })).toEqual([
      422,
      'validation_error',
      expect.stringContaining('exactly one'),
    ]);
    expect(await refused({ event: 'typed', contact_id: '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d' })).toEqual([
      404,
      'not_found',
      'Contact not found',
    ]);
    expect(await refused({ email })).toEqual([422, 'missing_required_field', 'Missing `event` field.']);
    expect(await refused({ event: 'resend:x', email })).toEqual([
      422,
      'validation_error',
      expect.stringContaining('resend:'),
    ]);
    expect(await refused({ event: 'typed', email: 'nobody' })).toEqual([422, 'validation_error', expect.anything()]);
  });
});

describe('automations', () => {
  const delay: Steps[number] = { key: 'later', type: 'delay', config: { duration: '1 day' } };

  it('are created, read, changed, copied, stopped and removed', async () => {
    const { data: created } = await resend.automations.create({ name: 'Welcome', ...chain('user.created', delay) });
    const id = created?.id as string;
    expect(created).toEqual({ object: 'automation', id: expect.any(String) });
    const { data: read } = await resend.automations.get(id);
    expect(read).toEqual({
      object: 'automation',
      id,
      name: 'Welcome',
      status: 'disabled',
      created_at: expect.any(String),
      updated_at: null,
      steps: [
        { key: 'start', type: 'trigger', config: { event_name: 'user.created' } },
        { key: 'later', type: 'delay', config: { duration: '1 day' } },
      ],
      connections: [{ from: 'start', to: 'later', type: 'default' }],
    });
    expect((await resend.automations.update(id, { status: 'enabled' })).data).toEqual(created);
    expect((await resend.automations.list({ status: 'enabled' })).data?.data).toMatchObject([{ id, name: 'Welcome' }]);
    const { data: copy } = await resend.automations.duplicate(id);
    expect((await resend.automations.get(copy?.id as string)).data).toMatchObject({
      name: 'Welcome (copy)',
      status: 'disabled',
      steps: read?.steps,
    });
    expect((await resend.automations.stop(id)).data).toEqual({ object: 'automation', id, status: 'disabled' });
    for (const each of [id, copy?.id as string]) {
      expect((await resend.automations.remove(each)).data).toEqual({ object: 'automation', id: each, deleted: true });
    }
    expect((await resend.automations.get(id)).error).toMatchObject({
      statusCode: 404,
      message: 'Automation not found',
    });
    expect((await resend.automations.runs.list({ automationId: id })).error?.statusCode).toBe(404);
  });

  it('are refused with the key of the step that is wrong', async () => {
    const refused = async (steps: unknown[], more: object = {}): Promise<string | undefined> =>
      (await resend.automations.create({ name: 'Test', connections: [], ...more, steps: steps as Steps })).error
        ?.message;
    expect(await refused([{ key: 'begin', type: 'trigger', config: {} }])).toBe(
      'Invalid step `begin`: Missing `event_name` field.',
    );
    expect(await refused([delay])).toContain('needs a step of the type `trigger`');
    const unknown: Steps[number] = { key: 'mail', type: 'send_email', config: { template: { id: 'none' } } };
    const { steps, connections } = chain('x', unknown);
    expect(await refused(steps, { connections, status: 'enabled' })).toBe(
      'The template `none` of the step `mail` does not exist or is not published.',
    );
    const nothing = await resend.automations.update('0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d', {});
    expect(nothing.error).toMatchObject({ statusCode: 422, message: expect.stringContaining('at least one') });
  });

  it('of other teams do not exist', async () => {
    const id = await enabled(chain('of.mine', delay));
    await sent('of.mine', 'mine@sink.test');
    const { id: runId } = await runThat(id, waits('later'));
    const { apiKey } = await addSecondTeam(program.postrider.app);
    const call = async (path: string, method = 'GET'): Promise<number> =>
      (await program.request(path, { method, headers: { authorization: `Bearer ${apiKey}` } })).status;
    expect(await call(`/automations/${id}`)).toBe(404);
    expect(await call(`/automations/${id}`, 'DELETE')).toBe(404);
    expect(await call(`/automations/${id}/stop`, 'POST')).toBe(404);
    expect(await call(`/automations/${id}/duplicate`, 'POST')).toBe(404);
    expect(await call(`/automations/${id}/runs`)).toBe(404);
    expect(await call(`/automations/${id}/runs/${runId}`)).toBe(404);
    expect(await call(`/automations/${id}/runs/${runId}/cancel`, 'POST')).toBe(404);
    expect(await call('/events/typed')).toBe(404);
  });
});

describe('a run', () => {
  it('makes a contact of the address, changes it, and sends an email with values of the event and the contact', async () => {
    const { data: segment } = await resend.segments.create({ name: 'Customers' });
    await resend.contactProperties.create({ key: 'stage', type: 'string' });
    const id = await enabled(
      chain(
        'user.created',
        {
          key: 'name',
          type: 'contact_update',
          config: { firstName: { var: 'event.name' }, properties: { stage: 'trial' } },
        },
        { key: 'join', type: 'add_to_segment', config: { segmentId: segment?.id as string } },
        {
          key: 'mail',
          type: 'send_email',
          config: { template: { id: template, variables: { PLAN: { var: 'event.plan' } } }, subject: 'Hello' },
        },
      ),
    );
    await sent('user.created', 'Eve@sink.test', { name: 'Eve', plan: 'Pro' });
    const run = await runThat(id, isDone);
    expect(statuses(run)).toEqual({ start: 'completed', name: 'completed', join: 'completed', mail: 'completed' });
    expect((await resend.contacts.get({ email: 'eve@sink.test' })).data).toMatchObject({
      first_name: 'Eve',
      properties: { stage: { value: 'trial' } },
    });
    expect((await resend.contacts.segments.list({ email: 'eve@sink.test' })).data?.data).toMatchObject([
      { id: segment?.id },
    ]);
    const emailId = run.steps.at(-1).output.email_id as string;
    const { data: email } = await resend.emails.get(emailId);
    expect(email).toMatchObject({ to: ['eve@sink.test'], subject: 'Hello', from: testSender });
    expect(email?.html).toContain('Welcome to Pro plan, Eve');
    await until(() => mailTo('eve@sink.test') === 1);
    const usage = (await (await program.request('/usage')).json()) as ParsedJson;
    expect(usage.automation_runs.used).toBeGreaterThan(0);
  });

  it('takes the branch that its condition says', async () => {
    const branches = (eventName: string): { steps: Steps; connections: Connections } => ({
      steps: [
        { key: 'start', type: 'trigger', config: { eventName } },
        { key: 'pro?', type: 'condition', config: { type: 'rule', field: 'event.plan', operator: 'eq', value: 'pro' } },
        { key: 'yes', type: 'contact_update', config: { lastName: 'Yes' } },
        { key: 'no', type: 'contact_update', config: { lastName: 'No' } },
      ],
      connections: [
        { from: 'start', to: 'pro?' },
        { from: 'pro?', to: 'yes', type: 'condition_met' },
        { from: 'pro?', to: 'no', type: 'condition_not_met' },
      ],
    });
    for (const [plan, name, other] of [
      ['pro', 'yes', 'no'],
      ['free', 'no', 'yes'],
    ] as const) {
      const id = await enabled(branches(`branch.${plan}`));
      await sent(`branch.${plan}`, `${plan}@sink.test`, { plan });
      const run = await runThat(id, isDone);
      expect(statuses(run)).toMatchObject({ [name]: 'completed', [other]: 'pending' });
      expect(run.steps[1].output).toEqual({ result: plan === 'pro' });
    }
  });

  it('waits, and goes on at its time', async () => {
    const id = await enabled(
      chain(
        'slow',
        { key: 'later', type: 'delay', config: { duration: '2 hours' } },
        {
          key: 'mail',
          type: 'send_email',
          config: { template: { id: template } },
        },
      ),
    );
    await sent('slow', 'slow@sink.test');
    const run = await runThat(id, waits('later'));
    expect(run.next_step_at).not.toBeNull();
    clock.advance(110 * 60_000);
    expect(mailTo('slow@sink.test')).toBe(0);
    clock.advance(20 * 60_000);
    expect(statuses(await runThat(id, isDone))).toEqual({ start: 'completed', later: 'completed', mail: 'completed' });
    await until(() => mailTo('slow@sink.test') === 1);
  });

  const waiting = (
    eventName: string,
    awaited: string,
    more: object = {},
  ): { steps: Steps; connections: Connections } => ({
    steps: [
      { key: 'start', type: 'trigger', config: { eventName } },
      { key: 'wait', type: 'wait_for_event', config: { eventName: awaited, timeout: '1 hour', ...more } },
      {
        key: 'came',
        type: 'contact_update',
        config: { lastName: { var: `wait_events.${awaited}.reference` } },
      },
      { key: 'late', type: 'contact_update', config: { lastName: 'Late' } },
    ],
    connections: [
      { from: 'start', to: 'wait' },
      { from: 'wait', to: 'came', type: 'event_received' },
      { from: 'wait', to: 'late', type: 'timeout' },
    ],
  });

  it('waits for an event of its contact that passes the filter', async () => {
    const filterRule = { type: 'rule', field: 'event.total', operator: 'gt', value: 10 };
    const id = await enabled(waiting('cart', 'paid', { filterRule }));
    await sent('cart', 'buyer@sink.test');
    await runThat(id, waits('wait'));
    await sent('paid', 'other@sink.test', { total: 50, reference: 'Other' });
    await sent('paid', 'buyer@sink.test', { total: 5, reference: 'Small' });
    await sent('paid', 'buyer@sink.test', { total: 20, reference: 'Large' });
    const run = await runThat(id, isDone);
    expect(statuses(run)).toMatchObject({ wait: 'completed', came: 'completed', late: 'pending' });
    expect((await resend.contacts.get({ email: 'buyer@sink.test' })).data).toMatchObject({ last_name: 'Large' });
  });

  it('takes the branch of the timeout if no event comes', async () => {
    const id = await enabled(waiting('cart.late', 'paid.late'));
    await sent('cart.late', 'late@sink.test');
    await runThat(id, waits('wait'));
    clock.advance(61 * 60_000);
    const run = await runThat(id, isDone);
    expect(statuses(run)).toMatchObject({ wait: 'completed', came: 'pending', late: 'completed' });
    expect(run.steps[1].output).toEqual({ timed_out: true });
  });

  it('waits for what happens to its own email', async () => {
    const id = await enabled({
      steps: [
        { key: 'start', type: 'trigger', config: { eventName: 'mailed' } },
        { key: 'mail', type: 'send_email', config: { template: { id: template } } },
        { key: 'wait', type: 'wait_for_event', config: { eventName: 'resend:email.delivered' } },
        { key: 'came', type: 'contact_update', config: { lastName: 'Reached' } },
      ],
      connections: [
        { from: 'start', to: 'mail' },
        { from: 'mail', to: 'wait' },
        { from: 'wait', to: 'came', type: 'event_received' },
      ],
    });
    await sent('mailed', 'reached@sink.test');
    expect(statuses(await runThat(id, isDone))).toMatchObject({ wait: 'completed', came: 'completed' });
  });

  it('leaves out the emails of a contact that has unsubscribed, and does its other steps', async () => {
    await resend.contacts.create({ email: 'quiet@sink.test', unsubscribed: true });
    const id = await enabled(
      chain(
        'to.quiet',
        { key: 'mail', type: 'send_email', config: { template: { id: template } } },
        { key: 'note', type: 'contact_update', config: { lastName: 'Quiet' } },
      ),
    );
    await sent('to.quiet', 'quiet@sink.test');
    const run = await runThat(id, isDone);
    expect(statuses(run)).toEqual({ start: 'completed', mail: 'skipped', note: 'completed' });
    expect(mailTo('quiet@sink.test')).toBe(0);
  });

  it('skips what needs the contact once it has deleted it', async () => {
    const id = await enabled(
      chain(
        'goodbye',
        { key: 'delete', type: 'contact_delete', config: {} },
        { key: 'mail', type: 'send_email', config: { template: { id: template } } },
      ),
    );
    await sent('goodbye', 'gone@sink.test');
    const run = await runThat(id, isDone);
    expect([run.status, statuses(run)]).toEqual([
      'completed',
      { start: 'completed', delete: 'completed', mail: 'skipped' },
    ]);
    expect((await resend.contacts.get({ email: 'gone@sink.test' })).error?.statusCode).toBe(404);
  });

  it('fails with the reason of a step that cannot be done', async () => {
    const bare = await publishedTemplate({ html: '{{{PLAN}}}', variables: [{ key: 'PLAN', type: 'string' }] });
    const id = await enabled(chain('failing', { key: 'mail', type: 'send_email', config: { template: { id: bare } } }));
    await sent('failing', 'failing@sink.test');
    const run = await runThat(id, isDone);
    expect([run.status, run.steps[1].status]).toEqual(['failed', 'failed']);
    expect(run.steps[1].error.message).toContain('PLAN');
  });

  it('keeps the steps with which it began, and finishes in an automation that is disabled', async () => {
    const later: Steps[number] = { key: 'later', type: 'delay', config: { duration: '1 hour' } };
    const note: Steps[number] = { key: 'note', type: 'contact_update', config: { lastName: 'First' } };
    const id = await enabled(chain('versioned', later, note));
    await sent('versioned', 'versioned@sink.test');
    await runThat(id, waits('later'));
    const changed = { ...chain('versioned', { ...note, key: 'other' }), status: 'disabled' as const };
    expect((await resend.automations.update(id, changed)).error).toBeNull();
    await sent('versioned', 'unheard@sink.test');
    clock.advance(61 * 60_000);
    const ended = await runThat(id, isDone);
    expect([ended.status, statuses(ended)]).toEqual([
      'completed',
      { start: 'completed', later: 'completed', note: 'completed' },
    ]);
    expect(await runsOf(id)).toHaveLength(1);
  });

  it('is cancelled by itself, by a stop, and by a removal', async () => {
    const graph = (event: string): { steps: Steps; connections: Connections } =>
      chain(event, { key: 'later', type: 'delay', config: { duration: '1 day' } });
    const id = await enabled(graph('cancelled'));
    await sent('cancelled', 'cancelled@sink.test');
    const { id: runId } = await runThat(id, waits('later'));
    const cancel = (): Promise<Response> =>
      program.request(`/automations/${id}/runs/${runId}/cancel`, { method: 'POST' });
    for (let time = 0; time < 2; time++) {
      const response = await cancel();
      expect([response.status, await response.json()]).toEqual([
        200,
        { object: 'automation_run', id: runId, status: 'cancelled' },
      ]);
    }
    await sent('cancelled', 'cancelled@sink.test');
    await until(async () => (await runsOf(id)).length === 2);
    expect((await resend.automations.stop(id)).error).toBeNull();
    expect((await runsOf(id)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    const { data } = await resend.automations.runs.list({ automationId: id, status: ['running', 'failed'] });
    expect(data?.data).toEqual([]);
    const ended = await enabled(chain('ended'));
    await sent('ended', 'ended@sink.test');
    const { id: endedId } = await runThat(ended, isDone);
    const response = await program.request(`/automations/${ended}/runs/${endedId}/cancel`, { method: 'POST' });
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { message: expect.stringContaining('completed') },
    ]);
  });

  it('is started once for each event, in each automation', async () => {
    const ids = [await enabled(chain('many')), await enabled(chain('many'))];
    await Promise.all(Array.from({ length: 50 }, () => sent('many', 'many@sink.test')));
    for (const id of ids) await until(async () => (await runsOf(id)).filter(isDone).length === 50);
    expect((await resend.contacts.get({ email: 'many@sink.test' })).error).toBeNull();
  });
});
