import { beforeEach, describe, expect, it } from '@jest/globals';
import type {
  ConsentingContacts,
  ContactSegments,
  ContactUpdate,
  ContactValues,
  RemoveContact,
  UpdateContact,
} from '#audience';
import type { AcceptedEmail, SendInTransaction } from '#emails';
import { DomainError, newId, ValidationError } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { runExample } from '../../../../test/support/builders/run-example.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { GivenRunQueue, InMemoryEvents } from '../../../../test/support/fakes/in-memory-automations.js';
import { Graph } from '../domain/graph.js';
import { Run } from '../domain/run.js';
import { AutomationSettings, defaultSettings } from '../domain/settings.js';
import { AdvanceRuns } from './advance-runs.use-case.js';
import { AdvanceSlice } from './advance-slice.js';
import { DoEffects } from './do-effects.js';

const teamId = newId();
const contact = {
  id: newId(),
  email: 'ada@sink.test',
  firstName: 'Ada',
  lastName: null,
  unsubscribed: false,
  properties: { plan: 'pro' },
  subscription: null,
};
let queue: GivenRunQueue;
let events: InMemoryEvents;
let clock: FakeClock;
let contacts: Map<string, unknown>;
let [changes, composed]: [unknown[], unknown[]] = [[], []];
let updatesTogether: number[];
let refusal: Error | undefined;
let quota: Error | undefined;
let advanceRuns: AdvanceRuns;

beforeEach(() => {
  queue = new GivenRunQueue();
  events = new InMemoryEvents();
  clock = new FakeClock();
  contacts = new Map([[contact.id, contact]]);
  [changes, composed, updatesTogether, refusal, quota] = [[], [], [], undefined, undefined];
  const sending = {
    isOtherMailComing: false,
    compose: async (_team: string, _actor: unknown, request: object) => {
      if (refusal !== undefined) throw refusal;
      composed.push(request);
      return { email: { id: `email ${composed.length}` } } as AcceptedEmail;
    },
    accept: async (emails: readonly AcceptedEmail[]) => ({
      send: async () => {
        if (quota !== undefined && emails.length > 0) throw quota;
        return () => undefined;
      },
    }),
  };
  const change = async (_principal: unknown, ...what: unknown[]): Promise<void> => {
    if (refusal !== undefined) throw refusal;
    changes.push(what.slice(0, 2));
  };
  const update = async (_principal: unknown, updates: readonly ContactUpdate[]): Promise<readonly object[]> => {
    changes.push(...updates.map(({ key, patch }) => [key, patch]));
    updatesTogether.push(updates.length);
    return updates.map(({ patch }) => (patch.firstName === 'refused' ? { error: new ValidationError('No.') } : {}));
  };
  const effects = new DoEffects(
    sending as unknown as SendInTransaction,
    { updateIn: update } as unknown as UpdateContact,
    { removeIn: change } as unknown as RemoveContact,
    { addIn: change } as unknown as ContactSegments,
    events,
    clock,
  );
  const slice = new AdvanceSlice(
    queue,
    effects,
    { read: async () => contacts } as unknown as ConsentingContacts,
    { propertiesOf: async () => [] } as unknown as ContactValues,
    clock,
  );
  advanceRuns = new AdvanceRuns(queue, slice, effects, new InMemoryUnitOfWork(), clock);
});

const trigger = { key: 'start', type: 'trigger', config: { event_name: 'paid' } };
const mail = {
  key: 'mail',
  type: 'send_email',
  config: { template: { id: 't', variables: { A: { var: 'event.a' }, B: { var: 'event.b' } } } },
};

/** A run that is due at a step of a chain behind a trigger. */
function due(
  steps: readonly { key: string }[],
  state: Partial<Run> = {},
  connections?: readonly unknown[],
  settings: Partial<AutomationSettings> = {},
): Run {
  const all = [trigger, ...steps];
  const chained = steps.map(({ key }, no) => ({ from: all[no]?.key, to: key }));
  const run = runExample({
    teamId,
    contactId: contact.id,
    payload: { a: 1, plan: 'pro' },
    createdAt: clock.now(),
    ...state,
  });
  queue.due.push({
    run,
    graph: Graph.parse(all, connections ?? chained),
    isStopped: false,
    actor: { kind: 'service' },
    permissions: null,
    settings: { ...defaultSettings, ...settings },
    isCounted: settings.maxEmailsPerDay !== undefined,
    isEarly: false,
  });
  return run;
}

const results = (): unknown => queue.recorded.flatMap(({ steps }) => steps.map(({ key, status }) => [key, status]));
const next = (): unknown => queue.recorded.at(-1)?.next;

describe('a run', () => {
  it('goes through a trigger to a step with an effect, and rests behind it', async () => {
    due([mail, { ...mail, key: 'again' }]);
    expect(await advanceRuns.step()).toBe(1);
    expect(results()).toEqual([
      ['start', 'completed'],
      ['mail', 'completed'],
    ]);
    expect(queue.recorded[0]?.steps[1]).toMatchObject({ output: { email_id: 'email 1' }, emailId: 'email 1' });
    expect(composed).toMatchObject([{ to: contact.email, template: { id: 't', variables: { A: 1 } } }]);
    expect(next()).toMatchObject({ status: 'running', stepKey: 'again', isWaiting: false, dueAt: clock.now() });
    expect(await advanceRuns.step()).toBe(0);
  });

  it('waits at a delay, and is completed behind it', async () => {
    const delay = { key: 'later', type: 'delay', config: { duration: '1 hour' } };
    due([delay]);
    await advanceRuns.step();
    expect(next()).toMatchObject({
      stepKey: 'later',
      isWaiting: true,
      waitingEvent: null,
      dueAt: new Date(clock.now().getTime() + 3_600_000),
    });
    due([delay], { stepKey: 'later', isWaiting: true });
    await advanceRuns.step();
    expect(next()).toEqual({ status: 'completed' });
  });

  it.each([
    [false, 'late', { timed_out: true }],
    [true, 'came', { event: 'order', payload: { total: 5 } }],
  ])('takes the branch of an event or of the timeout', async (hasEvent, branch, output) => {
    const wait = { key: 'wait', type: 'wait_for_event', config: { event_name: 'order' } };
    const note = (key: string) => ({ key, type: 'contact_update', config: { first_name: key } });
    due(
      [wait, note('came'), note('late')],
      { stepKey: 'wait', isWaiting: true, hasEvent, waitEvents: { order: { total: 5 } } },
      [
        { from: 'start', to: 'wait' },
        { from: 'wait', to: 'came', type: 'event_received' },
        { from: 'wait', to: 'late', type: 'timeout' },
      ],
    );
    await advanceRuns.step();
    expect(queue.recorded[0]?.steps[0]).toMatchObject({ key: 'wait', status: 'completed', output });
    expect(changes).toEqual([[{ id: contact.id }, { firstName: branch }]]);
  });

  const dueUpdate = (config: object) => due([{ key: 'name', type: 'contact_update', config } as { key: string }]);

  it('changes its contact: fields, segments, and its end', async () => {
    const segmentId = newId();
    dueUpdate({
      first_name: { var: 'event.a' },
      last_name: { var: 'event.none' },
      unsubscribed: true,
      properties: { plan: null },
    });
    due([{ key: 'join', type: 'add_to_segment', config: { segment_id: segmentId } } as { key: string }]);
    due([{ key: 'end', type: 'contact_delete' } as { key: string }]);
    await advanceRuns.step();
    expect(changes).toEqual([
      [{ id: contact.id }, { firstName: '1', unsubscribed: true, properties: { plan: null } }],
      [contact.id, segmentId],
      [{ id: contact.id }, expect.anything()],
    ]);
  });

  it('changes the contacts of a slice together, and a refused change fails its run alone', async () => {
    for (const first_name of ['Ada', 'refused', 'Eve']) dueUpdate({ first_name });
    await advanceRuns.step();
    expect(updatesTogether).toEqual([3]);
    expect(queue.recorded.map(({ next: { status } }) => status)).toEqual(['completed', 'failed', 'completed']);
  });

  it('skips emails to who has unsubscribed, and all that needs a contact that is gone', async () => {
    contacts.set(contact.id, { ...contact, unsubscribed: true });
    due([mail]);
    await advanceRuns.step();
    expect([results(), next()]).toEqual([
      [
        ['start', 'completed'],
        ['mail', 'skipped'],
      ],
      { status: 'completed' },
    ]);
    contacts.clear();
    due([{ key: 'end', type: 'contact_delete' } as { key: string }]);
    await advanceRuns.step();
    expect(queue.recorded.at(-1)?.steps.at(-1)).toMatchObject({
      status: 'skipped',
      output: { reason: 'The contact was deleted.' },
    });
  });

  it('fails with the refusal of a step, and is cancelled if its automation was stopped', async () => {
    refusal = new ValidationError('Missing `subject` field.');
    due([mail]);
    await advanceRuns.step();
    expect(queue.recorded[0]?.steps.at(-1)).toMatchObject({ status: 'failed', error: 'Missing `subject` field.' });
    expect(next()).toEqual({ status: 'failed' });
    due([mail]);
    queue.due = queue.due.map((one) => ({ ...one, isStopped: true }));
    await advanceRuns.step();
    expect(next()).toEqual({ status: 'cancelled' });
  });

  it('is postponed with the reason if there is no room for mail', async () => {
    refusal = new DomainError('unavailable', 'no_room', 'There is no room for mail.');
    due([mail]);
    await advanceRuns.step();
    expect(results()).toEqual([
      ['start', 'completed'],
      ['mail', 'waiting'],
    ]);
    expect(next()).toMatchObject({ stepKey: 'mail', isWaiting: false, postponedBecause: 'There is no room for mail.' });
  });
});

describe('limits', () => {
  it('hold emails back in quiet hours, in the zone of the contact', async () => {
    contacts.set(contact.id, { ...contact, properties: { time_zone: 'Asia/Tokyo' } });
    clock.advance(Date.parse('2026-07-01T13:00:00Z') - clock.now().getTime());
    due([mail], {}, undefined, { quietHours: { from: '21:00', to: '08:00' } });
    await advanceRuns.step();
    expect(composed).toEqual([]);
    expect(next()).toMatchObject({
      stepKey: 'mail',
      isWaiting: false,
      dueAt: new Date('2026-07-01T23:00:00Z'),
      postponedBecause: 'These are quiet hours until 2026-07-02 08:00 (Asia/Tokyo).',
    });
  });

  it('of emails in a day hold for all runs of a contact, until the next day', async () => {
    clock.advance(Date.parse('2026-07-01T13:00:00Z') - clock.now().getTime());
    for (let no = 0; no < 3; no++) {
      due([mail], {}, undefined, { maxEmailsPerDay: 2, timeZone: 'Europe/Berlin' });
    }
    await advanceRuns.step();
    expect(composed).toHaveLength(2);
    expect(next()).toMatchObject({
      dueAt: new Date('2026-07-01T22:00:00Z'),
      postponedBecause: expect.stringContaining('2 automated emails today'),
    });
    expect([...queue.emailsOfDays]).toEqual([[`${contact.id} 2026-07-01`, 2]]);
  });
});

describe('a goal', () => {
  const goal = { key: 'bought', type: 'goal', config: { event_name: 'paid' } } as { key: string };
  const opened = { key: 'read', type: 'goal', config: { event_name: 'resend:email.opened' } } as { key: string };
  const later = { key: 'later', type: 'delay', config: { duration: '1 hour' } } as { key: string };

  it('is passed, and is over with the run', async () => {
    due([goal, later]);
    await advanceRuns.step();
    expect(results()).toEqual([
      ['start', 'completed'],
      ['bought', 'waiting'],
      ['later', 'waiting'],
    ]);
    expect(next()).toMatchObject({ stepKey: 'later', goals: [{ stepKey: 'bought', eventName: 'paid' }] });
    due([goal, later], { stepKey: 'later', isWaiting: true, goals: ['bought'] });
    await advanceRuns.step();
    expect(queue.recorded[1]?.steps).toMatchObject([
      { key: 'later', status: 'completed' },
      { key: 'bought', status: 'completed', output: { reached: false } },
    ]);
  });

  it('that is reached ends the run', async () => {
    due([goal, later, mail], { stepKey: 'later', isWaiting: true, goals: ['bought'], reachedGoal: 'bought' });
    await advanceRuns.step();
    expect(queue.recorded[0]).toMatchObject({
      steps: [
        { key: 'later', status: 'skipped' },
        { key: 'bought', status: 'completed', output: { reached: true } },
      ],
      next: { status: 'completed' },
    });
  });

  it('that has happened to an email of the run before ends it at once', async () => {
    queue.happenings = [{ name: 'resend:email.opened', payload: { email_id: 'e' } }];
    due([opened, mail]);
    await advanceRuns.step();
    expect(queue.recorded[0]?.steps.at(-1)).toMatchObject({
      key: 'read',
      status: 'completed',
      output: { reached: true },
    });
    expect(composed).toEqual([]);
  });
});

describe('a call', () => {
  const call = {
    key: 'ask',
    type: 'webhook',
    config: { url: 'https://a.test', body: { plan: { var: 'event.plan' } } },
  };

  it('is made after the commit, while the run waits', async () => {
    due([call, mail]);
    await advanceRuns.step();
    expect(next()).toMatchObject({
      stepKey: 'ask',
      isWaiting: true,
      dueAt: null,
      call: { url: 'https://a.test', body: { plan: 'pro' } },
    });
    expect(composed).toEqual([]);
  });

  it.each([
    [null, 'mail', 'completed'],
    ['The call was answered with HTTP status 500.', 'sorry', 'failed'],
  ])('that has ended with %j leads on to %s', async (error, step, status) => {
    const sorry = { key: 'sorry', type: 'contact_delete' };
    const connections = [
      { from: 'start', to: 'ask' },
      { from: 'ask', to: 'mail' },
      { from: 'ask', to: 'sorry', type: 'failed' },
    ];
    const ended = { status: 200, attempts: 2, error, answer: { stock: 3 } };
    due([call, mail, sorry], { stepKey: 'ask', isWaiting: true, call: ended }, connections);
    await advanceRuns.step();
    expect(queue.recorded[0]?.steps).toMatchObject([
      { key: 'ask', status, output: { status: 200, attempts: 2, answer: { stock: 3 } } },
      { key: step },
    ]);
    due([call], { stepKey: 'ask', isWaiting: true, call: ended });
    await advanceRuns.step();
    expect(next()).toEqual({ status });
  });
});

it('an event that a run sends is about its contact, and tells how many came before it', async () => {
  const config = { event_name: 'won', payload: { plan: { var: 'event.plan' }, gone: { var: 'event.gone' } } };
  const send = { key: 'tell', type: 'send_event', config } as { key: string };
  due([send], { depth: 9 });
  due([send], { depth: 10 });
  await advanceRuns.step();
  expect(events.sent).toMatchObject([{ name: 'won', contactId: contact.id, payload: { plan: 'pro' }, depth: 10 }]);
  expect(queue.recorded[1]?.steps.at(-1)).toMatchObject({ status: 'failed', error: expect.stringContaining('circle') });
});

describe('a slice that is refused', () => {
  it('is done run by run, and the emails of the team whose quota is used up are postponed', async () => {
    quota = new DomainError('limited', 'daily_quota_exceeded', 'The quota of the day is used up.');
    const refused = due([mail]);
    const other = due([{ key: 'end', type: 'contact_delete' } as { key: string }]);
    await advanceRuns.step();
    expect(queue.recorded.map(({ run }) => run.id)).toEqual([other.id]);
    await advanceRuns.step();
    expect(queue.recorded.at(-1)).toMatchObject({ run: { id: refused.id }, next: { postponedBecause: quota.message } });
  });

  it('because of something unexpected keeps back the culprit, and fails it in the end', async () => {
    quota = new Error('A bug');
    const culprit = due([mail]);
    for (let time = 1; time <= 5; time++) {
      await expect(advanceRuns.step()).rejects.toThrow('A bug');
      expect(queue.troubles.get(culprit.id)).toBe(time);
    }
    expect(next()).toEqual({ status: 'failed' });
  });
});
