import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ContactValues, FindGroups } from '#audience';
import type { PreviewEmail } from '#emails';
import { newId, ValidationError } from '#kernel';
import { ParserThreads } from '#platform/parsing';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryEvents } from '../../../../test/support/fakes/in-memory-automations.js';
import { Graph } from '../domain/graph.js';
import { defaultSettings, parseSettings } from '../domain/settings.js';
import { Trial } from '../domain/trial.js';
import { ThreadedRuleJudge } from '../infrastructure/judging/threaded-rule-judge.js';
import type { CheckAutomation } from './check-automation.js';
import { RequestedTrial, TryAutomation } from './try-automation.use-case.js';

const teamId = newId();
const startAt = new Date('2026-07-01T12:00:00Z');
const ada = { id: newId(), email: 'ada@sink.test', firstName: 'Ada', lastName: null, unsubscribed: false };
const properties = [
  { key: 'plan', type: 'string', fallbackValue: 'free' },
  { key: 'age', type: 'number', fallbackValue: null },
];
const madeUp = { email: 'eve@sink.test', firstName: 'Eve', lastName: null, unsubscribed: false, properties: {} };
let mails: unknown[];
let refusal: Error | undefined;
let tryAutomation: TryAutomation;

beforeEach(() => {
  [mails, refusal] = [[], undefined];
  const contacts = {
    propertiesOf: async () => properties,
    find: async (_team: string, key: { id?: string; email?: string }) =>
      key.id === ada.id || key.email === ada.email
        ? { ...ada, properties: { plan: 'pro', age: null }, lacking: new Set(['age']) }
        : undefined,
  };
  const preview = {
    preview: async (_team: string, request: object, fields: object) => {
      if (refusal !== undefined) throw refusal;
      mails.push({ ...request, fields });
      return { from: 'a@b.test', subject: 'Hello', html: '<p>Hello</p>', text: null };
    },
  };
  tryAutomation = new TryAutomation(
    { checkUrls: () => undefined } as unknown as CheckAutomation,
    new InMemoryEvents(),
    contacts as unknown as ContactValues,
    { segment: async () => ({ name: 'S', filter: null }) } as unknown as FindGroups,
    preview as unknown as PreviewEmail,
    new ThreadedRuleJudge(new ParserThreads()),
    new FakeClock(startAt),
  );
});

type Step = { readonly key: string; readonly type: string; readonly config?: object };
const trigger = (config: object = {}): Step => ({
  key: 'start',
  type: 'trigger',
  config: { event_name: 'paid', ...config },
});
const mail = (key = 'mail'): Step => ({ key, type: 'send_email', config: { template: { id: 'welcome' } } });

/** Tries steps one after the other behind a trigger. */
function tried(steps: readonly Step[], more: Partial<RequestedTrial> = {}, first = trigger()): Promise<Trial> {
  const all = [first, ...steps];
  const connections = steps.map(({ key, type }, no) => {
    const from = all[no] as Step;
    const branches: Record<string, string> = { condition: 'condition_met', wait_for_event: 'event_received' };
    return { from: from.key, to: key, type: branches[from.type] ?? 'default', of: type };
  });
  return tryAutomation.run(teamId, {
    graph: Graph.parse(all, connections),
    settings: defaultSettings,
    contact: madeUp,
    payload: { plan: 'pro' },
    trigger: 'start',
    events: [],
    answers: {},
    startAt: undefined,
    ...more,
  });
}

const told = ({ steps }: Trial): unknown => steps.map(({ key, status, explanation }) => [key, status, explanation]);
const event = (days: number, name: string, payload = {}) => ({ afterMs: days * 86_400_000, name, payload });

describe('a trial', () => {
  it('says why each branch is taken, and what each step does', async () => {
    const trial = await tried([
      { key: 'pro?', type: 'condition', config: { type: 'rule', field: 'event.plan', operator: 'eq', value: 'pro' } },
      {
        key: 'name',
        type: 'contact_update',
        config: { first_name: 'Dr', properties: { plan: { var: 'event.plan' } } },
      },
      { key: 'later', type: 'delay', config: { duration: '2 days' } },
      mail(),
      { key: 'end', type: 'contact_delete' },
      mail('again'),
    ]);
    expect(told(trial)).toEqual([
      ['start', 'completed', '"paid" begins the run.'],
      ['pro?', 'completed', 'event.plan is "pro", so the condition is met.'],
      ['name', 'completed', 'The contact changes: first_name = "Dr", plan = "pro".'],
      ['later', 'completed', 'It goes on at 2026-07-03 12:00 (UTC).'],
      ['mail', 'completed', 'The email "Hello" is sent to eve@sink.test.'],
      ['end', 'completed', 'The contact is deleted. Later steps that need it are skipped.'],
      ['again', 'skipped', 'The contact was deleted.'],
    ]);
    expect(trial).toMatchObject({
      status: 'completed',
      contact: { firstName: 'Dr', properties: { plan: 'pro' }, isDeleted: true },
      emails: [{ stepKey: 'mail', templateId: 'welcome', subject: 'Hello' }],
    });
    expect(trial.steps[4]).toMatchObject({ at: new Date('2026-07-03T12:00:00Z'), next: 'end' });
    expect(mails).toMatchObject([
      { to: 'eve@sink.test', fields: { firstName: 'Dr', properties: { plan: 'pro' }, lacking: new Set(['age']) } },
    ]);
  });

  it('waits for the events that are given', async () => {
    const rule = { type: 'rule', field: 'event.total', operator: 'gt', value: 10 };
    const wait = {
      key: 'wait',
      type: 'wait_for_event',
      config: { event_name: 'order', timeout: '3 days', filter_rule: rule },
    };
    const note = { key: 'note', type: 'contact_update', config: { last_name: { var: 'wait_events.order.total' } } };
    const events = [event(1, 'order', { total: 5 }), event(2, 'order', { total: 50 }), event(1, 'other')];
    const came = await tried([wait, note], { events });
    expect(came.steps[1]).toMatchObject({ output: { event: 'order', payload: { total: 50 } }, next: 'note' });
    expect(came.contact.lastName).toBe('50');
    const late = await tried([wait, note], {
      events: [event(1, 'order', { total: 5 }), event(4, 'order', { total: 50 })],
    });
    expect(told(late)).toEqual([
      ['start', 'completed', '"paid" begins the run.'],
      [
        ...['wait', 'completed'],
        '"order" does not happen until 2026-07-04 12:00 (UTC), so the time is over. One that happens does not count, ' +
          'because event.total is 5, which is not more than 10.',
      ],
    ]);
  });

  it('sees what happens before it comes to a step, each event once', async () => {
    const wait = (key: string): Step => ({
      key,
      type: 'wait_for_event',
      config: { event_name: 'order', timeout: '3 days' },
    });
    const later = { key: 'later', type: 'delay', config: { duration: '2 days' } };
    const events = [event(1, 'order', { no: 1 }), event(3, 'order', { no: 2 })];
    const { steps } = await tried([later, wait('first'), wait('second'), wait('third')], { events });
    expect(steps.map(({ key, output }) => [key, output])).toEqual([
      ['start', null],
      ['later', null],
      ['first', { event: 'order', payload: { no: 1 } }],
      ['second', { event: 'order', payload: { no: 2 } }],
      ['third', { timed_out: true }],
    ]);
  });

  it('ends at a goal', async () => {
    const goal = { key: 'bought', type: 'goal', config: { event_name: 'order' } };
    const later = { key: 'later', type: 'delay', config: { duration: '2 days' } };
    const reached = await tried([goal, later, mail()], { events: [event(1, 'order')] });
    expect(reached.steps.map(({ key, status, output }) => [key, status, output])).toEqual([
      ['start', 'completed', null],
      ['bought', 'completed', { reached: true }],
      ['later', 'skipped', { reason: 'The goal `bought` has been reached.' }],
    ]);
    const missed = await tried([goal, later, mail()]);
    expect(missed.steps[1]).toMatchObject({ status: 'completed', output: { reached: false }, next: 'later' });
    expect(missed.emails).toHaveLength(1);
    const opened = { key: 'read', type: 'goal', config: { event_name: 'resend:email.opened' } };
    const read = await tried([mail(), later, opened, mail('again')], { events: [event(1, 'resend:email.opened')] });
    expect(read.steps.map(({ key }) => key)).toEqual(['start', 'mail', 'later', 'read']);
  });

  it('holds emails back as the settings say', async () => {
    const settings = parseSettings({ quiet_hours: { from: '11:00', to: '14:00' }, max_emails_per_day: 1 });
    const trial = await tried([mail('one'), mail('two')], { settings });
    expect(trial.steps.map(({ at }) => at.toISOString())).toEqual([
      ...['2026-07-01T12:00:00.000Z', '2026-07-01T14:00:00.000Z', '2026-07-02T00:00:00.000Z'],
    ]);
    expect(trial.steps[1]?.explanation).toMatch(/^These are quiet hours until 2026-07-01 14:00 \(UTC\)\. The email/);
    expect(trial.steps[2]?.explanation).toContain('1 automated email today');
  });

  it('fails with what the step would be refused with', async () => {
    refusal = new ValidationError('Missing `subject` field.');
    expect(await tried([mail(), mail('again')])).toMatchObject({
      status: 'failed',
      emails: [],
      steps: [{ key: 'start' }, { key: 'mail', status: 'failed', error: 'Missing `subject` field.', next: null }],
    });
    const config = { properties: { none: 'x' } };
    const unknown = await tried([{ key: 'set', type: 'contact_update', config }]);
    expect(unknown.steps[1]?.error).toBe('The contact property `none` does not exist.');
  });

  it('does not begin with an event that does not pass the filter', async () => {
    const filter_rule = { type: 'rule', field: 'event.plan', operator: 'eq', value: 'free' };
    const trial = await tried([mail()], {}, trigger({ filter_rule }));
    expect([trial.status, told(trial)]).toEqual([
      'not_started',
      [['start', 'skipped', 'The run does not begin, because event.plan is "pro", not "free".']],
    ]);
  });

  it('calls nobody, and goes on with the answers that are given', async () => {
    const call = { key: 'ask', type: 'webhook', config: { url: 'https://a.test' } };
    const note = { key: 'note', type: 'contact_update', config: { last_name: { var: 'webhooks.ask.stock.left' } } };
    const trial = await tried([call, note], { answers: { ask: { stock: { left: 3 } } } });
    expect([trial.steps[1]?.output, trial.contact.lastName]).toEqual([
      { status: 200, attempts: 1, answer: { stock: { left: 3 } } },
      '3',
    ]);
  });

  it('is of a contact of the team, of an address, or of somebody made up', async () => {
    expect((await tried([], { contact: { id: ada.id } })).contact).toMatchObject({ firstName: 'Ada' });
    expect((await tried([], { contact: { email: ada.email } })).contact).toMatchObject({ firstName: 'Ada' });
    const stranger = await tried([], { contact: { email: 'new@sink.test' } });
    expect(stranger.contact).toMatchObject({ email: 'new@sink.test', properties: { plan: 'free', age: null } });
    await expect(tried([], { contact: { id: newId() } })).rejects.toThrow('Contact not found');
    const wrong = { ...madeUp, properties: { age: 'old' } };
    await expect(tried([], { contact: wrong })).rejects.toThrow('The value of `age` must be a number.');
  });
});
