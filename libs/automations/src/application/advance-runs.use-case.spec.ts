import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ConsentingContacts, ContactSegments, ContactValues, RemoveContact, UpdateContact } from '#audience';
import type { AcceptedEmail, SendInTransaction } from '#emails';
import { DomainError, InMemoryUnitOfWork, newId, ValidationError } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { GivenRunQueue } from '../../../../test/support/fakes/in-memory-automations.js';
import { Graph } from '../domain/graph.js';
import { Run } from '../domain/run.js';
import { AdvanceRuns } from './advance-runs.use-case.js';

const teamId = newId();
const contact = {
  ...{ id: newId(), email: 'ada@sink.test', firstName: 'Ada', lastName: null, unsubscribed: false },
  ...{ properties: { plan: 'pro' }, subscription: null },
};
let queue: GivenRunQueue;
let clock: FakeClock;
let contacts: Map<string, unknown>;
let changes: unknown[];
let composed: unknown[];
let refusal: Error | undefined;
let quota: Error | undefined;
let advanceRuns: AdvanceRuns;

beforeEach(() => {
  queue = new GivenRunQueue();
  clock = new FakeClock();
  contacts = new Map([[contact.id, contact]]);
  [changes, composed, refusal, quota] = [[], [], undefined, undefined];
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
  advanceRuns = new AdvanceRuns(
    queue,
    sending as unknown as SendInTransaction,
    { read: async () => contacts } as unknown as ConsentingContacts,
    { propertiesOf: async () => [] } as unknown as ContactValues,
    { updateIn: change } as unknown as UpdateContact,
    { removeIn: change } as unknown as RemoveContact,
    { addIn: change } as unknown as ContactSegments,
    new InMemoryUnitOfWork(),
    clock,
  );
});

const trigger = { key: 'start', type: 'trigger', config: { event_name: 'paid' } };
const mail = {
  key: 'mail',
  type: 'send_email',
  config: { template: { id: 't', variables: { A: { var: 'event.a' }, B: { var: 'event.b' } } } },
};

/** A run that is due at a step of a chain behind a trigger. */
function due(steps: readonly { key: string }[], state: Partial<Run> = {}, connections?: readonly unknown[]): Run {
  const all = [trigger, ...steps];
  const chained = steps.map(({ key }, no) => ({ from: all[no]?.key, to: key }));
  const run: Run = {
    ...{ id: newId(), teamId, automationId: newId(), version: 1, triggerKey: 'start', contactId: contact.id },
    ...{
      status: 'running' as const,
      payload: { a: 1, plan: 'pro' },
      waitEvents: {},
      stepKey: 'start',
      isWaiting: false,
    },
    ...{ hasEvent: false, troubles: 0, createdAt: clock.now(), startedAt: null, completedAt: null },
    ...state,
  };
  queue.due.push({
    run,
    graph: Graph.parse(all, connections ?? chained),
    isStopped: false,
    actor: { kind: 'service' },
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
      ...{ stepKey: 'later', isWaiting: true, waitingEvent: null },
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

  it('changes its contact: fields, segments, and its end', async () => {
    const segmentId = newId();
    due([
      {
        key: 'name',
        type: 'contact_update',
        config: {
          first_name: { var: 'event.a' },
          last_name: { var: 'event.none' },
          unsubscribed: true,
          properties: { plan: null },
        },
      } as { key: string },
    ]);
    due([{ key: 'join', type: 'add_to_segment', config: { segment_id: segmentId } } as { key: string }]);
    due([{ key: 'end', type: 'contact_delete' } as { key: string }]);
    await advanceRuns.step();
    expect(changes).toEqual([
      [{ id: contact.id }, { firstName: '1', unsubscribed: true, properties: { plan: null } }],
      [contact.id, segmentId],
      [{ id: contact.id }, expect.anything()],
    ]);
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
    expect(results()).toEqual([['start', 'completed']]);
    expect(next()).toMatchObject({ stepKey: 'mail', isWaiting: false, postponedBecause: 'There is no room for mail.' });
  });
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
