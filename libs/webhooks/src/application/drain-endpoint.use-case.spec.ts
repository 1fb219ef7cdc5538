import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { newId, WakeUps } from '#kernel';
import { CallResult, DueMessage } from '../domain/webhook-message.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { CallEndpoint } from './call-endpoint.use-case.js';
import { DrainEndpoint, SettleCalls } from './drain-endpoint.use-case.js';
import { EndpointState, FinishedCall, WebhookCall, WebhookClient } from './ports/webhook-calls.port.js';
import { MessageQueue, StoredEvents } from './ports/message-queue.port.js';

const webhookId = newId();
const ok: CallResult = { status: 200, response: '', durationMs: 1 };

/** One endpoint: its queue, its calls and the recorded results. */
class Endpoint {
  readonly due = new Map<string, DueMessage>();
  readonly forgotten = new Set<string>();
  readonly calls: WebhookCall[] = [];
  readonly ends: FinishedCall[] = [];
  readonly owners: string[] = [];
  isThere = true;
  isTakenByAnother = false;
  format = 'postrider';
  probeAt: Date | null = null;
  answer = async (_call: WebhookCall): Promise<CallResult> => ok;
  stateAfter = (_end: FinishedCall): EndpointState => 'up';

  readonly queue = {
    acquireLane: async (_id: string, worker: string) => !this.isTakenByAnother && this.owners.push(worker) > 0,
    releaseLane: async () => void this.owners.pop(),
    work: async (_id: string, _worker: string, _now: Date, except: readonly string[], limit: number) => {
      if (!this.isThere) return undefined;
      const secrets = { current: 's', previous: undefined };
      const endpoint = {
        teamId: 'team',
        endpoint: 'https://hooks.test/',
        format: this.format,
        settings: null,
        secrets,
      };
      const due = [...this.due.values()].filter(({ id }) => !except.includes(id)).slice(0, limit);
      return { endpoint: { ...endpoint, probeAt: this.probeAt }, due: this.probeAt === null ? due : [] };
    },
  } as unknown as MessageQueue;

  /** Bytes of every event, if they are large. */
  largeBytes = 0;
  loaded = 0;

  readonly events = {
    load: async (sources) => {
      this.loaded += sources.length;
      return sources.map(({ id }) => (this.forgotten.has(id) ? undefined : { kind: 'team', data: '{}' }));
    },
    loadSmall: async (sources) => {
      const { largeBytes: bytes } = this;
      if (bytes > 0) return sources.map(() => ({ kind: 'large', bytes }));
      return sources.map(({ id }) => (this.forgotten.has(id) ? undefined : { kind: 'team', data: '{}' }));
    },
  } as StoredEvents;

  readonly client: WebhookClient = {
    call: async (call) => {
      if (!call.isWanted()) return undefined;
      this.calls.push(call);
      return this.answer(call);
    },
  };

  readonly settling = {
    settle: async (end: FinishedCall) => {
      this.ends.push(end);
      this.due.delete(end.message.id);
      return this.stateAfter(end);
    },
  } as unknown as SettleCalls;

  add(emailId = newId()): DueMessage {
    const source = { id: emailId, seq: null };
    const round = { attempt: 0, round: 1, createdAt: new Date() };
    const message: DueMessage = { id: newId(), webhookId, type: 'suppression.added', source, ...round };
    this.due.set(message.id, message);
    return message;
  }
}

let endpoint: Endpoint;
let wakeUps: WakeUps;

beforeEach(() => {
  jest.useFakeTimers();
  endpoint = new Endpoint();
  wakeUps = new WakeUps();
});
afterEach(() => void jest.useRealTimers());

function begin(): Promise<unknown> {
  const { queue, events, client, settling } = endpoint;
  const drain = new DrainEndpoint(queue, events, new CallEndpoint(client, undefined), settling, new FakeClock());
  return drain.drain(webhookId, 'worker', wakeUps).catch((error: unknown) => error);
}

/** Drains until the lane is released. */
async function drained(): Promise<unknown> {
  const end = begin();
  await jest.advanceTimersByTimeAsync(5_000);
  return end;
}

it('sends each due message once, and releases the lane when no more come', async () => {
  const sent = Array.from({ length: 500 }, () => endpoint.add());
  expect(await drained()).toBeUndefined();
  expect(endpoint.calls).toHaveLength(sent.length);
  expect(new Set(endpoint.ends.map(({ message }) => message.id))).toEqual(new Set(sent.map(({ id }) => id)));
  expect(endpoint.owners).toEqual([]);
});

it('the messages of one email are sent one after the other, in their order', async () => {
  const emailId = newId();
  const messages = Array.from({ length: 5 }, () => endpoint.add(emailId));
  let underWay = 0;
  let maxUnderWay = 0;
  endpoint.answer = async () => {
    maxUnderWay = Math.max(maxUnderWay, ++underWay);
    await Promise.resolve();
    underWay--;
    return ok;
  };
  await drained();
  expect(maxUnderWay).toBe(1);
  expect(endpoint.ends.map(({ message }) => message.id)).toEqual(messages.map(({ id }) => id));
});

it('sends nothing in a lane that another worker has', async () => {
  endpoint.add();
  endpoint.isTakenByAnother = true;
  await drained();
  expect(endpoint.calls).toEqual([]);
});

it('sends nothing to an endpoint that is disabled or removed', async () => {
  endpoint.add();
  endpoint.isThere = false;
  await drained();
  expect([endpoint.calls, endpoint.owners]).toEqual([[], []]);
});

it('no further message is sent once the endpoint is down', async () => {
  for (let n = 0; n < 100; n++) endpoint.add();
  endpoint.stateAfter = () => {
    endpoint.probeAt = new Date();
    return 'down';
  };
  await drained();
  // 32 at once, and for each of them one that begins before its result is recorded.
  expect(endpoint.calls.length).toBeLessThanOrEqual(64);
  expect(endpoint.due.size).toBe(100 - endpoint.calls.length);
  expect(endpoint.owners).toEqual([]);
});

it('a message whose event is no longer stored is recorded as not sent, without a call', async () => {
  const { source } = endpoint.add();
  endpoint.forgotten.add(source.id);
  await drained();
  expect(endpoint.calls).toEqual([]);
  expect(endpoint.ends).toMatchObject([{ notCalled: 'not stored', result: { status: 0 } }]);
});

it('when stopped, it finishes the running calls, begins no others and releases the lane', async () => {
  for (let n = 0; n < 100; n++) endpoint.add();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  endpoint.answer = () => held.then(() => ok);
  const end = begin();
  await jest.advanceTimersByTimeAsync(100);
  wakeUps.stop();
  await jest.advanceTimersByTimeAsync(100);
  expect(endpoint.owners).toEqual(['worker']);
  release();
  await end;
  expect(endpoint.ends).toHaveLength(32);
  expect(endpoint.owners).toEqual([]);
});

it('abandons the lane when a result cannot be recorded, and reports the error', async () => {
  for (let n = 0; n < 3; n++) endpoint.add();
  endpoint.stateAfter = () => {
    throw new Error('the database is away');
  };
  expect(await drained()).toEqual(new Error('the database is away'));
  expect(endpoint.owners).toEqual([]);
});

it('large events are loaded when their calls begin, as many as their team may hold in memory', async () => {
  for (let n = 0; n < 40; n++) endpoint.add();
  endpoint.largeBytes = 4 * 1024 * 1024;
  const open: (() => void)[] = [];
  endpoint.answer = () => new Promise((resolve) => open.push(() => resolve(ok)));
  const end = begin();
  await jest.advanceTimersByTimeAsync(100);
  expect([endpoint.loaded, open.length]).toEqual([4, 4]);
  while (endpoint.due.size > 0) {
    open.splice(0).forEach((answer) => answer());
    await jest.advanceTimersByTimeAsync(100);
    expect(open.length).toBeLessThanOrEqual(4);
  }
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await end).toBeUndefined();
  expect(endpoint.loaded).toBe(40);
});

it('a message whose format is off is settled like a call without a response', async () => {
  endpoint.format = 'mailgun';
  endpoint.add();
  await drained();
  expect([endpoint.calls, endpoint.ends]).toMatchObject([[], [{ result: { status: 0 } }]]);
});
