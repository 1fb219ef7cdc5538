import { beforeEach, describe, expect, it } from '@jest/globals';
import type {
  ConsentingContacts,
  ContactSegments,
  ContactUpdate,
  ContactValues,
  RemoveContact,
  UpdateContact,
} from '#audience';
import type { SendInTransaction } from '#emails';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { runExample } from '../../../../test/support/builders/run-example.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { GivenRunQueue, InMemoryEvents } from '../../../../test/support/fakes/in-memory-automations.js';
import { Graph } from '../domain/graph.js';
import { Run } from '../domain/run.js';
import { defaultSettings } from '../domain/settings.js';
import { AdvanceSlice } from './advance-slice.js';
import { DoEffects } from './do-effects.js';
import { AdvancedRun } from './ports/run-queue.port.js';

const clock = new FakeClock();
const teamId = newId();
const stored = { email: 'ada@sink.test', lastName: null, unsubscribed: false, properties: {}, subscription: null };
let contacts: Map<string, object>;
let queue: GivenRunQueue;
/** The first names of each update. */
let updates: (readonly unknown[])[];
let composed: unknown[];
let slice: AdvanceSlice;

beforeEach(() => {
  contacts = new Map();
  queue = new GivenRunQueue();
  [updates, composed] = [[], []];
  const updateIn = async (_by: unknown, given: readonly ContactUpdate[]): Promise<readonly object[]> => {
    updates.push(given.map(({ patch }) => patch.firstName));
    for (const { key, patch } of given) {
      const { id } = key as { readonly id: string };
      contacts.set(id, { ...contacts.get(id), ...patch });
    }
    return given.map(() => ({}));
  };
  const sending = {
    compose: async (...request: unknown[]) => {
      composed.push(request);
      return { email: { id: newId() } };
    },
    accept: async () => ({ send: async () => () => undefined }),
  };
  const effects = new DoEffects(
    sending as unknown as SendInTransaction,
    { updateIn } as unknown as UpdateContact,
    {} as RemoveContact,
    {} as ContactSegments,
    new InMemoryEvents(),
    clock,
  );
  const read = async ({ ids }: { readonly ids: readonly string[] }): Promise<Map<string, object>> =>
    new Map(ids.map((id) => [id, contacts.get(id) as object]));
  slice = new AdvanceSlice(
    queue,
    effects,
    { read } as unknown as ConsentingContacts,
    { propertiesOf: async () => [] } as unknown as ContactValues,
    clock,
  );
});

const update = (key: string, first_name: string): object => ({ key, type: 'contact_update', config: { first_name } });

/** Adds a contact whose run is due at the first of these steps. */
function add(name: string, steps: readonly object[], connections: readonly object[]): void {
  const contactId = newId();
  contacts.set(contactId, { ...stored, id: contactId, email: `${name}@sink.test`, firstName: name });
  queue.due.push({
    run: runExample({ teamId, contactId }),
    graph: Graph.parse([{ key: 'start', type: 'trigger', config: { event_name: 'paid' } }, ...steps], connections),
    isStopped: false,
    actor: { kind: 'service' },
    permissions: null,
    settings: defaultSettings,
    isCounted: false,
    isEarly: false,
  });
}

async function advance(): Promise<void> {
  await new InMemoryUnitOfWork().run(async (transaction) => {
    const { send } = await slice.advance(queue.due, transaction);
    (await send())();
  });
}

it('a run that has updated its contact goes on in the same slice, and sees it as it is then', async () => {
  const isEve = { type: 'rule', field: 'contact.first_name', operator: 'eq', value: 'Eve' };
  const steps = [update('eve', 'Eve'), { key: 'named', type: 'condition', config: isEve }, update('ann', 'Ann')];
  const connections = [
    { from: 'start', to: 'eve' },
    { from: 'eve', to: 'named' },
    { from: 'named', to: 'ann', type: 'condition_met' },
  ];
  for (const name of ['zoe', 'bea']) add(name, steps, connections);
  await advance();
  expect(updates).toEqual([
    ['Eve', 'Eve'],
    ['Ann', 'Ann'],
  ]);
  const done = ['start', 'eve', 'named', 'ann'].map((key) => ({ key, status: 'completed' }));
  const ended = { steps: done, next: { status: 'completed' } };
  expect(queue.recorded).toMatchObject([ended, ended]);
  // In the order of the contacts, in which everybody locks them.
  expect(queue.recorded.map(({ run }) => (contacts.get(run.contactId) as { email: string }).email)).toEqual([
    'bea@sink.test',
    'zoe@sink.test',
  ]);
});

it('it rests in front of what changes more than its contact', async () => {
  const mail = { key: 'mail', type: 'send_email', config: { template: { id: 't' } } };
  add(
    'ada',
    [update('eve', 'Eve'), mail],
    [
      { from: 'start', to: 'eve' },
      { from: 'eve', to: 'mail' },
    ],
  );
  await advance();
  expect(composed).toEqual([]);
  expect(queue.recorded[0]?.next).toMatchObject({ status: 'running', stepKey: 'mail', dueAt: clock.now() });
});

it('a step that waited keeps its outcome if a goal is reached in the round behind it', async () => {
  const goal = { key: 'goal', type: 'goal', config: { event_name: 'resend:email.opened' } };
  const steps = [{ key: 'wait', type: 'delay', config: { duration: '1 day' } }, update('eve', 'Eve'), goal];
  add('ada', steps, [
    { from: 'start', to: 'wait' },
    { from: 'wait', to: 'eve' },
    { from: 'eve', to: 'goal' },
  ]);
  queue.due = queue.due.map((due) => ({ ...due, run: { ...due.run, stepKey: 'wait', isWaiting: true } }));
  queue.happenings = [{ name: 'resend:email.opened', payload: {} }];
  await advance();
  expect(queue.recorded).toMatchObject([
    {
      steps: ['wait', 'eve', 'goal'].map((key) => ({ key, status: 'completed' })),
      next: { status: 'completed', isGoal: true },
    },
  ]);
});

it('it makes at most five updates in a slice', async () => {
  const keys = Array.from({ length: 7 }, (_, no) => `update ${no}`);
  const steps = keys.map((key) => update(key, key));
  add(
    'ada',
    steps,
    keys.map((to, no) => ({ from: keys[no - 1] ?? 'start', to })),
  );
  await advance();
  expect(updates).toHaveLength(5);
  expect(queue.recorded[0]?.next).toMatchObject({ status: 'running', stepKey: 'update 5', dueAt: clock.now() });
});

/** Lets one run do its next steps, behind a trigger. Returns what became of it. */
async function advanced(step: object, state: Partial<Run> = {}, isEarly = false): Promise<AdvancedRun | undefined> {
  add('Ada', [{ key: 'next', ...step }], [{ from: 'start', to: 'next' }]);
  queue.due = queue.due.map((due) => ({ ...due, isEarly, run: { ...due.run, ...state } }));
  await advance();
  return queue.recorded[0];
}

describe('an event that comes before the run is at its step', () => {
  const filter_rule = { type: 'rule', field: 'event.total', operator: 'gt', value: 10 };
  const paid = (position: number, total: number) => ({ name: 'paid', payload: { total }, position });

  it('is taken by the wait, the first that passes its filter', async () => {
    queue.keptEvents = [paid(5, 1), paid(6, 50), paid(7, 60)];
    const run = await advanced({ type: 'wait_for_event', config: { event_name: 'paid', filter_rule } });
    expect(run?.next).toMatchObject({ stepKey: 'next', isWaiting: true, taken: paid(6, 50) });
  });

  it('ends the run at its goal', async () => {
    queue.keptEvents = [paid(5, 50)];
    const run = await advanced({ type: 'goal', config: { event_name: 'paid', filter_rule } });
    expect(run?.next).toEqual({ status: 'completed', isGoal: true });
  });

  it('keeps a wait whose time is over from ending while it is not dealt with', async () => {
    const wait = { type: 'wait_for_event', config: { event_name: 'paid' } };
    const run = await advanced(wait, { stepKey: 'next', isWaiting: true }, true);
    const dueAt = new Date(clock.now().getTime() + 1_000);
    expect(run?.next).toMatchObject({ stepKey: 'next', isWaiting: true, waitingEvent: 'paid', dueAt });
  });
});

describe('an event that automations have no budget for', () => {
  const tell = { type: 'send_event', config: { event_name: 'told' } };

  it('fails its step with the reason if too much follows from one origin', async () => {
    const originId = newId();
    queue.spentBudgets = new Set([originId]);
    const run = await advanced(tell, { originId });
    expect(run?.steps[1]).toMatchObject({ status: 'failed', error: expect.stringContaining('1000 runs') });
  });

  it('is postponed with the reason if the automations of the team cause too much in a minute', async () => {
    queue.spentBudgets = new Set([teamId]);
    const run = await advanced(tell);
    const postponedBecause = expect.stringContaining('10000 runs within a minute');
    expect(run?.next).toMatchObject({ status: 'running', stepKey: 'next', isWaiting: false, postponedBecause });
  });
});
