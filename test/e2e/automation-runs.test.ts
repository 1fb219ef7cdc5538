import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import {
  AutomationGraph,
  AutomationSteps,
  chain,
  isDone,
  statusesOf,
  Steps,
  waits,
} from '../support/builders/automation-steps.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { until } from '../support/runner/until.js';

const transport = new InMemoryDeliveryTransport();
const clock = new TestClock();
let program: TestProgram;
let resend: Resend;
let automations: AutomationSteps;
let template: string;

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, transport).use(Clock, clock));
  resend = program.resend;
  automations = new AutomationSteps(resend);
  template = await automations.template();
});

afterAll(() => program.stop());

const mailTo = (address: string): number =>
  transport.delivered.filter(({ recipients }) => recipients.includes(address)).length;

describe('a run', () => {
  it('makes a contact of the address, changes it, and sends an email with values of the event and the contact', async () => {
    const { data: segment } = await resend.segments.create({ name: 'Customers' });
    await resend.contactProperties.create({ key: 'stage', type: 'string' });
    const id = await automations.enabled(
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
    await automations.sent('user.created', 'Eve@sink.test', { name: 'Eve', plan: 'Pro' });
    const run = await automations.runThat(id, isDone);
    expect(statusesOf(run)).toEqual({ start: 'completed', name: 'completed', join: 'completed', mail: 'completed' });
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
    const branches = (eventName: string): AutomationGraph => ({
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
      const id = await automations.enabled(branches(`branch.${plan}`));
      await automations.sent(`branch.${plan}`, `${plan}@sink.test`, { plan });
      const run = await automations.runThat(id, isDone);
      expect(statusesOf(run)).toMatchObject({ [name]: 'completed', [other]: 'pending' });
      expect(run.steps[1].output).toEqual({ result: plan === 'pro' });
    }
  });

  it('divides contacts, and takes them out of a segment', async () => {
    const { data: segment } = await resend.segments.create({ name: 'New' });
    const config = { segment_id: segment?.id };
    await resend.contacts.create({ email: 'divided@sink.test', segments: [{ id: segment?.id ?? '' }] });
    const body = {
      name: 'Divide',
      status: 'enabled',
      steps: [
        { key: 'start', type: 'trigger', config: { event_name: 'divided' } },
        { key: 'all', type: 'split', config: { percent: 100 } },
        { key: 'leave', type: 'remove_from_segment', config },
        { key: 'none', type: 'split', config: { percent: 0 } },
        { key: 'never', type: 'contact_delete' },
      ],
      connections: [
        { from: 'start', to: 'all' },
        { from: 'all', to: 'leave', type: 'condition_met' },
        { from: 'leave', to: 'none' },
        { from: 'none', to: 'never', type: 'condition_met' },
      ],
    };
    const created = await program.request('/automations', { method: 'POST', body: JSON.stringify(body) });
    const { id } = (await created.json()) as ParsedJson;
    await automations.sent('divided', 'divided@sink.test');
    const run = await automations.runThat(id, isDone);
    expect(statusesOf(run)).toMatchObject({
      all: 'completed',
      leave: 'completed',
      none: 'completed',
      never: 'pending',
    });
    expect((await resend.contacts.segments.list({ email: 'divided@sink.test' })).data?.data).toEqual([]);
  });

  it('waits, and goes on at its time', async () => {
    const id = await automations.enabled(
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
    await automations.sent('slow', 'slow@sink.test');
    const run = await automations.runThat(id, waits('later'));
    expect(run.next_step_at).not.toBeNull();
    clock.advance(110 * 60_000);
    expect(mailTo('slow@sink.test')).toBe(0);
    clock.advance(20 * 60_000);
    expect(statusesOf(await automations.runThat(id, isDone))).toEqual({
      start: 'completed',
      later: 'completed',
      mail: 'completed',
    });
    await until(() => mailTo('slow@sink.test') === 1);
  });

  const waiting = (eventName: string, awaited: string, more: object = {}): AutomationGraph => ({
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
    const id = await automations.enabled(waiting('cart', 'paid', { filterRule }));
    await automations.sent('cart', 'buyer@sink.test');
    await automations.runThat(id, waits('wait'));
    await automations.sent('paid', 'other@sink.test', { total: 50, reference: 'Other' });
    await automations.sent('paid', 'buyer@sink.test', { total: 5, reference: 'Small' });
    await automations.sent('paid', 'buyer@sink.test', { total: 20, reference: 'Large' });
    const run = await automations.runThat(id, isDone);
    expect(statusesOf(run)).toMatchObject({ wait: 'completed', came: 'completed', late: 'pending' });
    expect((await resend.contacts.get({ email: 'buyer@sink.test' })).data).toMatchObject({ last_name: 'Large' });
  });

  it('takes the branch of the timeout if no event comes', async () => {
    const id = await automations.enabled(waiting('cart.late', 'paid.late'));
    await automations.sent('cart.late', 'late@sink.test');
    await automations.runThat(id, waits('wait'));
    clock.advance(61 * 60_000);
    const run = await automations.runThat(id, isDone);
    expect(statusesOf(run)).toMatchObject({ wait: 'completed', came: 'pending', late: 'completed' });
    expect(run.steps[1].output).toEqual({ timed_out: true });
  });

  it('waits for what happens to its own email', async () => {
    const id = await automations.enabled({
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
    await automations.sent('mailed', 'reached@sink.test');
    expect(statusesOf(await automations.runThat(id, isDone))).toMatchObject({ wait: 'completed', came: 'completed' });
  });

  it('leaves out the emails of a contact that has unsubscribed, and does its other steps', async () => {
    await resend.contacts.create({ email: 'quiet@sink.test', unsubscribed: true });
    const id = await automations.enabled(
      chain(
        'to.quiet',
        { key: 'mail', type: 'send_email', config: { template: { id: template } } },
        { key: 'note', type: 'contact_update', config: { lastName: 'Quiet' } },
      ),
    );
    await automations.sent('to.quiet', 'quiet@sink.test');
    const run = await automations.runThat(id, isDone);
    expect(statusesOf(run)).toEqual({ start: 'completed', mail: 'skipped', note: 'completed' });
    expect(mailTo('quiet@sink.test')).toBe(0);
  });

  it('skips what needs the contact once it has deleted it', async () => {
    const id = await automations.enabled(
      chain(
        'goodbye',
        { key: 'delete', type: 'contact_delete', config: {} },
        { key: 'mail', type: 'send_email', config: { template: { id: template } } },
      ),
    );
    await automations.sent('goodbye', 'gone@sink.test');
    const run = await automations.runThat(id, isDone);
    expect([run.status, statusesOf(run)]).toEqual([
      'completed',
      { start: 'completed', delete: 'completed', mail: 'skipped' },
    ]);
    expect((await resend.contacts.get({ email: 'gone@sink.test' })).error?.statusCode).toBe(404);
  });

  it('fails with the reason of a step that cannot be done', async () => {
    const bare = await automations.template({ html: '{{{PLAN}}}', variables: [{ key: 'PLAN', type: 'string' }] });
    const id = await automations.enabled(
      chain('failing', { key: 'mail', type: 'send_email', config: { template: { id: bare } } }),
    );
    await automations.sent('failing', 'failing@sink.test');
    const run = await automations.runThat(id, isDone);
    expect([run.status, run.steps[1].status]).toEqual(['failed', 'failed']);
    expect(run.steps[1].error.message).toContain('PLAN');
  });

  it('keeps the steps with which it began, and finishes in an automation that is disabled', async () => {
    const later: Steps[number] = { key: 'later', type: 'delay', config: { duration: '1 hour' } };
    const note: Steps[number] = { key: 'note', type: 'contact_update', config: { lastName: 'First' } };
    const id = await automations.enabled(chain('versioned', later, note));
    await automations.sent('versioned', 'versioned@sink.test');
    await automations.runThat(id, waits('later'));
    const changed = { ...chain('versioned', { ...note, key: 'other' }), status: 'disabled' as const };
    expect((await resend.automations.update(id, changed)).error).toBeNull();
    await automations.sent('versioned', 'unheard@sink.test');
    clock.advance(61 * 60_000);
    const ended = await automations.runThat(id, isDone);
    expect([ended.status, statusesOf(ended)]).toEqual([
      'completed',
      { start: 'completed', later: 'completed', note: 'completed' },
    ]);
    expect(await automations.runsOf(id)).toHaveLength(1);
  });

  it('is cancelled by itself, by a stop, and by a removal', async () => {
    const graph = (event: string): AutomationGraph =>
      chain(event, { key: 'later', type: 'delay', config: { duration: '1 day' } });
    const id = await automations.enabled(graph('cancelled'));
    await automations.sent('cancelled', 'cancelled@sink.test');
    const { id: runId } = await automations.runThat(id, waits('later'));
    const cancel = (): Promise<Response> =>
      program.request(`/automations/${id}/runs/${runId}/cancel`, { method: 'POST' });
    for (let time = 0; time < 2; time++) {
      const response = await cancel();
      expect([response.status, await response.json()]).toEqual([
        200,
        { object: 'automation_run', id: runId, status: 'cancelled' },
      ]);
    }
    await automations.sent('cancelled', 'cancelled@sink.test');
    await until(async () => (await automations.runsOf(id)).length === 2);
    expect((await resend.automations.stop(id)).error).toBeNull();
    expect((await automations.runsOf(id)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    const { data } = await resend.automations.runs.list({ automationId: id, status: ['running', 'failed'] });
    expect(data?.data).toEqual([]);
    const ended = await automations.enabled(chain('ended'));
    await automations.sent('ended', 'ended@sink.test');
    const { id: endedId } = await automations.runThat(ended, isDone);
    const response = await program.request(`/automations/${ended}/runs/${endedId}/cancel`, { method: 'POST' });
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { message: expect.stringContaining('completed') },
    ]);
  });

  it('is started once for each event, in each automation', async () => {
    const ids = [await automations.enabled(chain('many')), await automations.enabled(chain('many'))];
    await Promise.all(Array.from({ length: 50 }, () => automations.sent('many', 'many@sink.test')));
    for (const id of ids) await until(async () => (await automations.runsOf(id)).filter(isDone).length === 50);
    expect((await resend.contacts.get({ email: 'many@sink.test' })).error).toBeNull();
  });
});
