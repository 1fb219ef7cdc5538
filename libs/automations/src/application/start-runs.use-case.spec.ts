import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { ConsentingContacts, ContactValues, UpsertContact } from '#audience';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { GivenEventQueue } from '../../../../test/support/fakes/in-memory-automations.js';
import { Graph } from '../domain/graph.js';
import { parseTrigger } from '../domain/trigger.js';
import { ContactsOfEvents } from './contacts-of-events.js';
import type { NoteEvents } from './note-events.use-case.js';
import { Listener } from './ports/event-queue.port.js';
import { StartRuns } from './start-runs.use-case.js';

const teamId = newId();
const ada = { id: newId(), email: 'ada@sink.test' };
let queue: GivenEventQueue;
let added: string[];
let noted: object[];
let startRuns: StartRuns;

// No time passes while filters are judged, however busy the machine is.
beforeEach(() => void jest.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => void jest.restoreAllMocks());

beforeEach(() => {
  queue = new GivenEventQueue();
  added = [];
  noted = [];
  const values = {
    of: async (_team: string, emails: readonly string[]) =>
      new Map(emails.includes(ada.email) ? [[ada.email, ada]] : []),
  };
  const identified = {
    read: async ({ ids }: { ids: readonly string[] }) => new Map(ids.includes(ada.id) ? [[ada.id, ada]] : []),
  };
  const upserts = {
    addIn: async (_principal: unknown, emails: readonly string[]) => {
      added.push(...emails);
      return emails.map((email) => (email === 'refused@sink.test' ? undefined : newId()));
    },
  };
  startRuns = new StartRuns(
    queue,
    new ContactsOfEvents(
      values as unknown as ContactValues,
      identified as unknown as ConsentingContacts,
      upserts as unknown as UpsertContact,
    ),
    { note: (events: readonly object[]) => noted.push(...events) } as unknown as NoteEvents,
    new InMemoryUnitOfWork(),
    new FakeClock(),
  );
});

const listener = (eventName: string, more: object = {}, fields: Partial<Listener> = {}): Listener => {
  const trigger = parseTrigger({ event_name: eventName, ...more }).action;
  const ids = {
    teamId,
    eventName,
    automationId: newId(),
    version: 1,
    triggerKey: 'start',
    keptOutMs: 0,
    permissions: null,
  };
  return { ...ids, trigger, subjectId: trigger.subjectId, ...fields };
};
const event = (
  name: string,
  who: { email?: string; contactId?: string },
  payload: object = {},
  more: { depth?: number; subjectId?: string } = {},
) => ({
  id: newId(),
  teamId,
  name,
  contactId: who.contactId ?? null,
  email: who.email ?? null,
  depth: 0,
  subjectId: null,
  originId: null,
  position: 1,
  payload: payload as Record<string, unknown>,
  ...more,
});

it('an event begins a run of its contact in each automation that listens', async () => {
  queue.listening = [listener('paid'), listener('paid'), listener('other')];
  queue.events = [event('paid', { email: ada.email }, { total: 5 }), event('paid', { contactId: ada.id })];
  expect(await startRuns.step(false)).toBe(2);
  expect(queue.begun.map(({ contactId, payload }) => [contactId, payload])).toEqual([
    [ada.id, { total: 5 }],
    [ada.id, { total: 5 }],
    [ada.id, {}],
    [ada.id, {}],
  ]);
  expect(await startRuns.step(false)).toBe(0);
  expect(noted).toHaveLength(2);
});

it('takes fewer events at once beside other mail', async () => {
  queue.events = Array.from({ length: 250 }, () => event('unheard', { email: ada.email }));
  expect([await startRuns.step(true), await startRuns.step(false), await startRuns.step(true)]).toEqual([50, 200, 0]);
});

it('an address becomes a contact only if an automation begins', async () => {
  queue.listening = [listener('paid')];
  queue.events = [
    event('unheard', { email: 'nobody@sink.test' }),
    event('paid', { email: 'eve@sink.test' }),
    event('paid', { email: 'refused@sink.test' }),
    event('paid', { contactId: newId() }),
  ];
  await startRuns.step(false);
  expect(added).toEqual(['eve@sink.test', 'refused@sink.test']);
  expect(queue.begun.map(({ contactEmail }) => contactEmail)).toEqual(['eve@sink.test']);
});

it('a run goes on with the first event that passes its filter', async () => {
  const filter = { type: 'rule', field: 'event.total', operator: 'gt', value: 10 };
  const graph = Graph.parse(
    [
      { key: 'start', type: 'trigger', config: { event_name: 'cart' } },
      { key: 'wait', type: 'wait_for_event', config: { event_name: 'paid', filter_rule: filter } },
    ],
    [{ from: 'start', to: 'wait' }],
  );
  queue.waiting = [{ run: { id: 'run', stepKey: 'wait', goals: [] }, graph, event: { name: 'paid', payload: {} } }];
  queue.events = [event('paid', { email: ada.email }, { total: 5 })];
  await startRuns.step(false);
  expect(queue.woken).toEqual([]);
  queue.events = [11, 12].map((total) => event('paid', { email: ada.email }, { total }));
  await startRuns.step(false);
  expect(queue.woken).toEqual(['run']);
  await startRuns.followEmails([], {} as never);
});

it('an event whose rules take long leaves the others of its team for later, and those of no other', async () => {
  const graph = Graph.parse(
    [
      { key: 'start', type: 'trigger', config: { event_name: 'cart' } },
      { key: 'wait', type: 'wait_for_event', config: { event_name: 'paid' } },
    ],
    [{ from: 'start', to: 'wait' }],
  );
  const waiting = (id: string) => ({ run: { id, stepKey: 'wait', goals: ['wait'] }, graph });
  queue.waiting = ['first', 'second'].map((id) => ({ ...waiting(id), event: { name: 'paid', payload: {} } }));
  const [one, two] = [1, 2].map((total) => event('paid', { email: ada.email }, { total }));
  const other = { ...event('paid', { email: ada.email }), teamId: newId() };
  queue.events = [one, two, other] as never;
  queue.listening = [listener('paid', {}, { keptOutMs: 60_000 })];
  // Each look at the clock while runs are looked at is a second later.
  let ms = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (ms += queue.isWaking ? 1_000 : 0));
  expect(await startRuns.step(false)).toBe(2);
  expect(queue.events).toEqual([two]);
  expect([queue.begun.map(({ payload }) => payload), queue.woken]).toEqual([[{ total: 1 }], ['first', 'second']]);
  clock.mockReturnValue(0);
  expect(await startRuns.step(false)).toBe(1);
  expect(queue.begun).toHaveLength(2);
});

it('what happens to emails wakes all runs that wait for it, in portions if that takes long', async () => {
  const graph = Graph.parse(
    [
      { key: 'start', type: 'trigger', config: { event_name: 'cart' } },
      { key: 'wait', type: 'wait_for_event', config: { event_name: 'resend:email.opened' } },
    ],
    [{ from: 'start', to: 'wait' }],
  );
  const opened = (payload: object) => ({ name: 'resend:email.opened', payload: payload as Record<string, unknown> });
  queue.waiting = [1, 2, 3].map((no) => ({
    run: { id: `run ${no}`, stepKey: 'wait', goals: [] },
    graph,
    event: opened({ no }),
  }));
  let ms = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (ms += 400));
  const mail = [1, 2, 3].map((seq) => ({ ...opened({}), emailId: newId(), seq, recipientNo: 0 }));
  expect(await startRuns.followEmails(mail, {} as never)).toBe(1);
  expect(queue.mail.map(({ seq }) => seq)).toEqual([1]);
  expect(queue.woken).toEqual(['run 1', 'run 2', 'run 3']);
});

it('the expensive events of one team do not hold up those of another', async () => {
  queue.listening = Array.from({ length: 500 }, () => listener('paid'));
  queue.events = Array.from({ length: 30 }, () => event('paid', { email: ada.email }));
  const other = { ...event('paid', { email: ada.email }), teamId: newId() };
  queue.events.push(other);
  await startRuns.step(false);
  expect(queue.events.map(({ id }) => id)).not.toContain(other.id);
  expect(queue.begun.length).toBeLessThanOrEqual(5_000);
});

it('an event whose triggers find no room is left, with those of its team behind it', async () => {
  queue.listening = [listener('paid', {}, { trigger: undefined }), listener('signed')];
  queue.events = ['signed', 'paid', 'signed'].map((name) => event(name, { email: ada.email }));
  const [, ...later] = queue.events;
  expect(await startRuns.step(false)).toBe(1);
  expect(queue.events).toEqual(later);
});

it('an event that cannot be dealt with is held back, and stops no other', async () => {
  queue.listening = [listener('paid'), listener('broken')];
  queue.events = ['paid', 'broken', 'paid'].map((name) => event(name, { email: ada.email }));
  const [, broken] = queue.events;
  queue.refused = 'broken';
  const ofOther = { ...event('paid', { email: ada.email }), teamId: newId() };
  queue.events.push(ofOther);
  await expect(startRuns.step(false)).rejects.toThrow('broken');
  expect(queue.heldBack).toEqual([broken?.id]);
  expect(queue.events).not.toContain(ofOther);
  await startRuns.step(false);
  expect([queue.begun.length, queue.events]).toEqual([2, [broken]]);
});

it('an event for which many runs wait is the first of a slice, and the others of its team come after it', async () => {
  queue.waiting = Array.from({ length: 1_200 }, (_, no) => ({
    run: { id: `run ${no}`, stepKey: 'wait', goals: [] },
    graph: Graph.parse(
      [
        { key: 'start', type: 'trigger', config: { event_name: 'cart' } },
        { key: 'wait', type: 'wait_for_event', config: { event_name: 'paid' } },
      ],
      [{ from: 'start', to: 'wait' }],
    ),
    event: { name: 'paid', payload: {} },
  }));
  queue.listening = [listener('signed')];
  const of = (team: string, name: string) => ({ ...event(name, { email: ada.email }), teamId: team });
  const [busy, quiet] = [newId(), newId()];
  queue.events = [of(busy, 'paid'), of(quiet, 'paid'), of(busy, 'paid'), of(busy, 'paid'), of(quiet, 'signed')];
  const slices: string[][] = [];
  while (queue.events.length > 0) {
    const before = queue.events;
    await startRuns.step(false);
    slices.push(before.filter((each) => !queue.events.includes(each)).map(({ teamId: team }) => team));
  }
  expect(slices).toEqual([[busy], [quiet, quiet], [busy], [busy]]);
  expect(queue.woken).toHaveLength(4 * 1_000);
});

it('events that begin many runs take turns with those of other teams, also where each fills a slice', async () => {
  queue.listening = Array.from({ length: 100 }, () => listener('paid'));
  const large = { text: 'x'.repeat(50_000) };
  const of = (team: string, payload: object) => ({ ...event('paid', { email: ada.email }, payload), teamId: team });
  const [busy, quiet] = [newId(), newId()];
  queue.listening = [busy, quiet].flatMap((team) => queue.listening.map((each) => ({ ...each, teamId: team })));
  queue.events = [...Array.from({ length: 5 }, () => of(busy, large)), of(quiet, large)];
  await startRuns.step(false);
  await startRuns.step(false);
  expect(queue.events.map(({ teamId: team }) => team)).toEqual([busy, busy, busy, busy]);
});

it('events with large payloads are taken in portions', async () => {
  queue.listening = Array.from({ length: 100 }, () => listener('paid'));
  const payload = { text: 'x'.repeat(30_000) };
  queue.events = [1, 2, 3].map(() => event('paid', { email: ada.email }, payload));
  expect([await startRuns.step(false), await startRuns.step(false), await startRuns.step(false)]).toEqual([1, 1, 1]);
  expect(queue.begun).toHaveLength(300);
});

it('an event begins an automation by the first trigger that it meets', async () => {
  const automationId = newId();
  const large = { filter_rule: { type: 'rule', field: 'event.total', operator: 'gt', value: 10 } };
  queue.listening = [
    listener('paid', large, { automationId, triggerKey: 'large' }),
    listener('paid', {}, { automationId, triggerKey: 'any' }),
  ];
  queue.events = [5, 50].map((total) => event('paid', { email: ada.email }, { total }));
  await startRuns.step(false);
  expect(queue.begun.map(({ triggerKey }) => triggerKey)).toEqual(['any', 'large']);
});

it('an event of the service begins what is meant by it, for contacts that are known', async () => {
  const [segmentId, template_id] = [newId(), newId()];
  queue.listening = [
    listener('resend:segment.entered', { segment_id: segmentId }),
    listener('resend:email.opened', { template_id }),
  ];
  queue.events = [
    event('resend:segment.entered', { contactId: ada.id }, {}, { subjectId: segmentId }),
    event('resend:segment.entered', { contactId: ada.id }, {}, { subjectId: newId() }),
    event('resend:email.opened', { email: ada.email }, { template_id }),
    event('resend:email.opened', { email: ada.email }, { template_id: newId() }),
    event('resend:email.opened', { email: 'stranger@sink.test' }, { template_id }),
  ];
  await startRuns.step(false);
  expect(queue.begun.map(({ eventName }) => eventName)).toEqual(['resend:segment.entered', 'resend:email.opened']);
  expect(added).toEqual([]);
});

it('a contact that was in an automation lately does not enter it again', async () => {
  queue.listening = [listener('paid', {}, { keptOutMs: Infinity }), listener('paid')];
  queue.events = [event('paid', { email: ada.email })];
  queue.keptOut.add(ada.id);
  await startRuns.step(false);
  expect(queue.begun.map(({ keptOutMs }) => keptOutMs)).toEqual([0]);
  expect([...queue.notEntered]).toEqual([[queue.listening[0]?.automationId, 1]]);
});

it('a circle of events ends with the reason', async () => {
  queue.listening = [listener('paid')];
  queue.events = [10, 11].map((depth) => event('paid', { email: ada.email }, {}, { depth }));
  await startRuns.step(false);
  expect(queue.begun.map(({ refusal }) => refusal)).toEqual([null, expect.stringContaining('circle')]);
});

it('what follows from one event has a budget, beyond which the first runs are refused with the reason', async () => {
  queue.listening = [listener('paid')];
  const originId = newId();
  queue.spentBefore = 998;
  queue.events = [
    ...Array.from({ length: 110 }, () => ({ ...event('paid', { email: ada.email }, {}, { depth: 1 }), originId })),
    event('paid', { email: ada.email }),
  ];
  await startRuns.step(false);
  const refusals = queue.begun.map(({ refusal }) => refusal);
  expect(refusals.filter((refusal) => refusal === null)).toHaveLength(3);
  expect(refusals.filter((refusal) => refusal?.includes('1000 runs that follow from one event'))).toHaveLength(100);
  expect(queue.begun).toHaveLength(103);
  expect(queue.begun[0]?.originId).toBe(originId);
  expect(queue.begun.at(-1)?.originId).toBe(queue.begun.at(-1)?.eventId);
});

it('an awaited event is left while an earlier one of its contact is being dealt with elsewhere', async () => {
  const steps = [
    { key: 'start', type: 'trigger', config: { event_name: 'cart' } },
    { key: 'wait', type: 'wait_for_event', config: { event_name: 'paid' } },
  ];
  const graph = Graph.parse(steps, [{ from: 'start', to: 'wait' }]);
  queue.waiting = [{ run: { id: 'run', stepKey: 'wait', goals: [] }, graph, event: { name: 'paid', payload: {} } }];
  queue.events = [event('paid', { email: ada.email }), event('other', { email: ada.email })];
  queue.behindOthers = new Map([[queue.events[0]?.id ?? '', 'due']]);
  expect(await startRuns.step(false)).toBe(0);
  expect([queue.woken, queue.events.length]).toEqual([[], 2]);
  queue.behindOthers = new Map();
  expect(await startRuns.step(false)).toBe(2);
  expect([queue.woken, queue.kept.map(({ name }) => name)]).toEqual([['run'], ['paid']]);
});

it('a run ends with the event of a goal that it has passed', async () => {
  const steps = [
    { key: 'start', type: 'trigger', config: { event_name: 'cart' } },
    { key: 'bought', type: 'goal', config: { event_name: 'paid' } },
  ];
  const graph = Graph.parse(steps, [{ from: 'start', to: 'bought' }]);
  queue.waiting = [
    { run: { id: 'run', stepKey: null, goals: ['bought'] }, graph, event: { name: 'paid', payload: {} } },
  ];
  queue.events = [event('other', { email: ada.email }), event('paid', { email: ada.email })];
  await startRuns.step(false);
  expect([...queue.reached]).toEqual([['run', 'bought']]);
});
