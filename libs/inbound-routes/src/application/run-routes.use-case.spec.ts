import { beforeEach, expect, it } from '@jest/globals';
import { ConcurrentIdempotentRequestsError } from '#idempotency';
import { ReceivedEmails } from '#inbound';
import type { ReceivedEmail } from '#inbound';
import { InboxAddresses } from '#inboxes';
import { newId, ValidationError } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryRoutes } from '../../../../test/support/fakes/in-memory-routes.js';
import { parsePattern } from '../domain/address-pattern.js';
import { chainOf, loopOf, mayBounce, originalOf, resultsIn } from '../domain/forwarding.js';
import { HeaderCondition, HeaderValue, holdingAmong } from '../domain/header-condition.js';
import { RouteAction } from '../domain/route.js';
import { Forwarding, ForwardReceived, HandOvers } from './pass-on.js';
import {
  HandOver,
  HandOverOutcome,
  HandOverRequest,
  LoadedMessage,
  maxHandOverMs,
  MessageWaitsForMemoryError,
  RoutedMessages,
} from './ports/routed-messages.port.js';
import { RouteResult, RouteResults } from './ports/route-results.port.js';
import { maxForwardsPerHour, RouteRecipients, RunRoutes } from './run-routes.use-case.js';

class Results extends RouteResults {
  readonly all: RouteResult[] = [];
  forwardsLately = 0;

  async add(result: RouteResult): Promise<boolean> {
    const isKnown = this.all.some(({ receivedId, key }) => receivedId === result.receivedId && key === result.key);
    if (!isKnown) this.all.push(result);
    return !isKnown;
  }

  async doneAmong(receivedId: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const known = await this.of(receivedId);
    return new Set(keys.filter((key) => known.some((result) => result.key === key)));
  }

  async forwardsSince(): Promise<number> {
    return this.forwardsLately;
  }

  async of(receivedId: string): Promise<readonly RouteResult[]> {
    return this.all.filter((result) => result.receivedId === receivedId);
  }
}

class Sources extends RoutedMessages {
  held = 0;
  isFull = false;
  isFullOfHosts = false;
  header: readonly HeaderValue[] = [];

  async load(): Promise<LoadedMessage> {
    if (this.isFull) throw new MessageWaitsForMemoryError();
    this.held++;
    const bytes = new Uint8Array();
    return {
      trace: bytes,
      content: bytes,
      stuffed: bytes,
      header: this.header,
      originalId: newId(),
      holdForHost: () => {
        if (this.isFullOfHosts) return undefined;
        this.held++;
        return () => void this.held--;
      },
      release: () => void this.held--,
    };
  }

  async holding(_: string, conditions: readonly HeaderCondition[], header: readonly HeaderValue[]) {
    return holdingAmong(conditions, header);
  }

  async seal(): Promise<Uint8Array> {
    return new Uint8Array();
  }
}

class Host extends HandOver {
  readonly asked: HandOverRequest[] = [];
  outcome: Promise<HandOverOutcome> = Promise.resolve({ kind: 'delivered', detail: '250 OK' });

  deliver(request: HandOverRequest): Promise<HandOverOutcome> {
    this.asked.push(request);
    return this.outcome;
  }
}

const teamId = newId();
let routes: InMemoryRoutes;
let results: Results;
let sources: Sources;
let host: Host;
let announced: string[];
let forwards: string[];
let trouble: Error | undefined;
let run: RunRoutes;
let process: () => RunRoutes;

beforeEach(() => {
  [routes, results, sources, host] = [new InMemoryRoutes(), new Results(), new Sources(), new Host()];
  [announced, forwards, trouble] = [[], [], undefined];
  const received = { announce: async ({ id }: ReceivedEmail) => void announced.push(id) } as unknown as ReceivedEmails;
  const forward = {
    forward: async ({ target }: Forwarding) => {
      if (trouble !== undefined) throw trouble;
      forwards.push(target);
      return newId();
    },
  } as unknown as ForwardReceived;
  const [unitOfWork, clock] = [new InMemoryUnitOfWork(), new FakeClock()];
  process = () => new RunRoutes(routes, sources, results, forward, new HandOvers(host), received, unitOfWork, clock);
  run = process();
});

const add = (recipient: string, action: RouteAction, goesOn = false) =>
  routes.add(
    {
      id: newId(),
      teamId,
      position: 999,
      name: '',
      recipient: parsePattern(recipient),
      conditions: [],
      action,
      goesOn,
      enabled: true,
      actor: { kind: 'service' },
      createdAt: new Date(),
      updatedAt: new Date(),
    },
    200,
  );
const email = (...recipients: string[]): ReceivedEmail =>
  ({ id: newId(), teamId, recipients, mailFrom: 'ada@customer.test' }) as unknown as ReceivedEmail;
const lmtp = { type: 'lmtp', host: 'box.test', port: 24 } as const;

it('does each thing once for a message, however many recipients and runs', async () => {
  await add('a@acme.test', { type: 'forward', to: ['bob@home.test', 'carol@home.test'] }, true);
  await add('*@acme.test', { type: 'forward', to: ['Bob@home.test'] }, true);
  await add('*@acme.test', { type: 'webhook' });
  const message = email('a@acme.test', 'b@acme.test');
  expect(await run.run(message, false)).toEqual({ kind: 'done' });
  expect(await run.run(message, false)).toEqual({ kind: 'done' });
  expect(forwards).toEqual(['bob@home.test', 'carol@home.test']);
  expect(announced).toEqual([message.id]);
  expect(sources.held).toBe(0);
});

it('a message without memory waits, which is no failure, and its actions run later', async () => {
  await add('a@acme.test', { type: 'forward', to: ['bob@home.test'] });
  const message = email('a@acme.test');
  sources.isFull = true;
  expect(await run.run(message, true)).toMatchObject({ kind: 'waiting', afterMs: 5_000 });
  sources.isFull = false;
  expect(await run.run(message, true)).toEqual({ kind: 'done' });
  expect(forwards).toEqual(['bob@home.test']);
});

it('the event is not written again where it was written with the email', async () => {
  await add('a@acme.test', { type: 'forward', to: ['bob@home.test'] }, true);
  await add('a@acme.test', { type: 'webhook' });
  await run.run(email('a@acme.test', 'other@acme.test'), true);
  expect([announced.length, forwards.length]).toEqual([0, 1]);
});

it('routes that change after the message was accepted neither lose the event nor double it', async () => {
  await add('a@acme.test', { type: 'forward', to: ['bob@home.test'] });
  const accepted = email('a@acme.test', 'other@acme.test');
  await run.run(accepted, false);
  expect(announced).toEqual([accepted.id]);
  await add('other@acme.test', { type: 'forward', to: ['bob@home.test'] }, true);
  await add('other@acme.test', { type: 'webhook' });
  await run.run(email('a@acme.test', 'other@acme.test'), true);
  expect(announced).toEqual([accepted.id]);
});

it('each route with which automations begin is noted once for a message, beside what it does', async () => {
  const first = await add('a@acme.test', { type: 'webhook' }, true);
  const second = await add('*@acme.test', { type: 'webhook' });
  await add('none@acme.test', { type: 'webhook' });
  routes.followedRoutes = new Set([first?.id ?? '', second?.id ?? '']);
  const message = email('a@acme.test', 'b@acme.test');
  for (let time = 0; time < 2; time++) await run.run(message, true);
  expect(results.all.map(({ action, routeId }) => [action, routeId])).toEqual([
    ['automation', first?.id],
    ['automation', second?.id],
  ]);
  expect(announced).toEqual([]);
});

it('two runs at once announce a message once', async () => {
  await add('a@acme.test', { type: 'webhook' });
  const message = email('a@acme.test');
  await Promise.all([run.run(message, false), process().run(message, false)]);
  expect(announced).toEqual([message.id]);
});

it('what fails is tried again, and only that', async () => {
  await add('a@acme.test', { type: 'webhook' }, true);
  await add('a@acme.test', { type: 'forward', to: ['bob@home.test'] });
  const message = email('a@acme.test');
  trouble = new ValidationError('The domain is not verified');
  const reason = 'Not forwarded to bob@home.test: The domain is not verified';
  expect(await run.run(message, false)).toEqual({ kind: 'later', reason });
  trouble = undefined;
  expect(await run.run(message, false)).toEqual({ kind: 'done' });
  expect([announced.length, forwards.length]).toEqual([1, 1]);
});

it('a message that is being forwarded to the same target at this moment waits for a second, not for a failure', async () => {
  await add('a@acme.test', { type: 'forward', to: ['bob@home.test'] });
  const message = email('a@acme.test');
  trouble = new ConcurrentIdempotentRequestsError();
  expect(await run.run(message, false)).toMatchObject({ kind: 'waiting', afterMs: 1_000 });
  trouble = undefined;
  expect(await run.run(message, false)).toEqual({ kind: 'done' });
  expect(forwards).toHaveLength(1);
});

it('a host that takes long holds up no run, and its delivery is not made twice', async () => {
  await add('a@acme.test', lmtp);
  const message = email('a@acme.test');
  let end: (outcome: HandOverOutcome) => void = () => undefined;
  host.outcome = new Promise((resolve) => (end = resolve));
  expect(await run.run(message, false)).toEqual({
    kind: 'waiting',
    reason: 'box.test: the delivery is under way',
    afterMs: maxHandOverMs,
  });
  expect(await run.run(message, false)).toMatchObject({ kind: 'waiting' });
  expect(sources.held).toBe(1);
  end({ kind: 'delivered', detail: '250 late' });
  await host.outcome;
  await new Promise(setImmediate);
  expect(await process().run(message, false)).toEqual({ kind: 'done' });
  expect([host.asked.length, sources.held]).toEqual([1, 0]);
  expect(results.all).toMatchObject([{ outcome: 'done', detail: '250 late', target: 'box.test:24' }]);
});

it('a host that refuses ends it, one that fails does not, and a team has few deliveries at once', async () => {
  await add('a@acme.test', lmtp);
  host.outcome = Promise.resolve({ kind: 'failed', detail: 'no connection' });
  expect(await run.run(email('a@acme.test'), false)).toEqual({ kind: 'later', reason: 'box.test: no connection' });
  host.outcome = Promise.resolve({ kind: 'refused', detail: '550 no' });
  expect(await run.run(email('a@acme.test'), false)).toEqual({ kind: 'done' });
  expect(results.all).toMatchObject([{ outcome: 'refused', detail: '550 no' }]);
  host.outcome = new Promise(() => undefined);
  const runs = await Promise.all(Array.from({ length: 5 }, () => run.run(email('a@acme.test'), false)));
  const busy = runs.filter((outcome) => outcome.kind === 'later' && outcome.reason.endsWith('waiting'));
  expect(busy).toHaveLength(1);
});

it('a message that finds no memory for its host is handed over later, and goes everywhere else at once', async () => {
  await add('a@acme.test', lmtp, true);
  await add('a@acme.test', { type: 'forward', to: ['bob@home.test'] }, true);
  await add('a@acme.test', { type: 'webhook' });
  const message = email('a@acme.test');
  sources.isFullOfHosts = true;
  const waits = { kind: 'later', reason: 'box.test: the delivery is waiting' };
  expect(await run.run(message, false)).toEqual(waits);
  expect([host.asked.length, forwards, announced]).toEqual([0, ['bob@home.test'], [message.id]]);
  sources.isFullOfHosts = false;
  expect(await run.run(message, false)).toEqual({ kind: 'done' });
  expect([host.asked.length, sources.held]).toEqual([1, 0]);
});

it('a delivery that is under way needs no more memory for its message', async () => {
  await add('a@acme.test', lmtp);
  host.outcome = new Promise(() => undefined);
  const message = email('a@acme.test');
  await run.run(message, false);
  sources.isFullOfHosts = true;
  expect(await run.run(message, false)).toMatchObject({ kind: 'waiting', afterMs: maxHandOverMs });
  expect(sources.held).toBe(1);
});

it('a loop ends with a result', async () => {
  await add('a@acme.test', { type: 'forward', to: ['bob@home.test'] });
  sources.header = [{ name: 'delivered-to', value: '<A@acme.test>' }];
  expect(await run.run(email('a@acme.test'), false)).toEqual({ kind: 'done' });
  expect(results.all).toMatchObject([{ outcome: 'loop' }]);
  const hops = Array.from({ length: 31 }, () => ({ name: 'received', value: 'x' }));
  const nobody = { recipients: [] };
  expect([loopOf(nobody, hops, 'a@b.test'), loopOf(nobody, hops.slice(1), 'a@b.test')]).toEqual([
    'The message has passed 31 servers',
    undefined,
  ]);
});

it('nothing is forwarded to an address that had the message, or has it now', async () => {
  await add('*@acme.test', { type: 'forward', to: ['Bob@home.test', 'b@acme.test', 'carol@home.test'] });
  sources.header = [{ name: 'delivered-to', value: 'bob@home.test' }];
  await run.run(email('a@acme.test', 'B@acme.test'), false);
  expect(forwards).toEqual(['carol@home.test']);
  expect(results.all.filter(({ outcome }) => outcome === 'loop')).toHaveLength(2);
});

it('a team that has forwarded too much in an hour waits', async () => {
  await add('a@acme.test', { type: 'forward', to: ['bob@home.test'] });
  results.forwardsLately = maxForwardsPerHour;
  expect(await run.run(email('a@acme.test'), false)).toMatchObject({ kind: 'later' });
  results.forwardsLately--;
  expect(await run.run(email('a@acme.test'), false)).toEqual({ kind: 'done' });
});

it('the original of a copy is what this service received first', () => {
  const received = (host: string, id: string) => ({
    name: 'received',
    value: `from a.test ([192.0.2.1])\tby ${host} with ESMTPS id ${id}\tfor <a@b.test>;\tnow`,
  });
  const [first, second, id] = [newId(), newId(), newId()];
  const header = [received('mx.test', second), received('other.test', newId()), received('mx.test', first)];
  expect(originalOf({ id }, [...header, received('other.test', newId())], 'mx.test')).toBe(first);
  expect(originalOf({ id }, header, 'third.test')).toBe(id);
});

const noInboxes = { has: async () => false } as unknown as InboxAddresses;

it('recipients are decided by the forecast', async () => {
  const routing = new RouteRecipients(routes, noInboxes);
  await add('gone@acme.test', { type: 'reject', text: 'Gone' });
  await add('hole@acme.test', { type: 'drop' });
  await add('fwd@acme.test', { type: 'forward', to: ['bob@home.test'] }, true);
  const decide = (recipient: string) => routing.decide({ teamId, domainId: newId(), recipient, mailFrom: '' });
  expect(await decide('gone@acme.test')).toEqual({ kind: 'reject', text: 'Gone' });
  expect(await decide('hole@acme.test')).toEqual({ kind: 'discard' });
  expect(await decide('fwd@acme.test')).toEqual({ kind: 'accept', announce: false, act: true });
  expect(await decide('any@acme.test')).toEqual({ kind: 'accept', announce: true, act: false });
  const followed = await add('asks@acme.test', { type: 'webhook' });
  expect(await decide('asks@acme.test')).toEqual({ kind: 'accept', announce: true, act: false });
  routes.followedRoutes = new Set([followed?.id ?? '']);
  expect(await decide('asks@acme.test')).toEqual({ kind: 'accept', announce: true, act: true });
  expect(await decide('any@acme.test')).toEqual({ kind: 'accept', announce: true, act: false });
});

it('an inbox takes its mail, whatever routes say', async () => {
  const asked: string[] = [];
  const has = async (_: string, recipient: string) => {
    asked.push(recipient);
    return recipient === 'box@acme.test';
  };
  const routing = new RouteRecipients(routes, { has } as unknown as InboxAddresses);
  await add('fwd@acme.test', { type: 'forward', to: ['bob@home.test'] });
  const dropping = await add('box@acme.test', { type: 'drop' });
  await add('*@acme.test', { type: 'reject', text: 'Gone' });
  const decide = (recipient: string) => routing.decide({ teamId, domainId: newId(), recipient, mailFrom: '' });
  expect(await decide('box@acme.test')).toEqual({ kind: 'accept', announce: true, act: false });
  expect(await decide('any@acme.test')).toEqual({ kind: 'reject', text: 'Gone' });
  expect(await decide('fwd@acme.test')).toEqual({ kind: 'accept', announce: false, act: true });
  expect(asked).toEqual(['box@acme.test', 'any@acme.test']);
  await routes.remove(teamId, dropping?.id ?? '');
  expect(await decide('box@acme.test')).toEqual({ kind: 'accept', announce: true, act: false });
});

it('bounces go to proven senders that are no programs, and broken chains are not sealed', () => {
  const from = (spf: string, mailFrom = 'ada@customer.test') =>
    ({ mailFrom, verdicts: { spf: { result: spf }, arc: { sets: 0 } } }) as unknown as ReceivedEmail;
  const submitted = (value: string) => [{ name: 'auto-submitted', value }];
  expect(mayBounce(from('pass'), [])).toBe(true);
  expect(mayBounce(from('pass'), submitted('No; x'))).toBe(true);
  expect(mayBounce(from('pass'), submitted('auto-generated'))).toBe(false);
  expect(mayBounce(from('softfail'), [])).toBe(false);
  expect(mayBounce(from('pass', ''), [])).toBe(false);
  const arc = (result: string, sets: number) => chainOf({ arc: { result, sets } } as ReceivedEmail['verdicts']);
  expect([arc('none', 0), arc('pass', 2), arc('fail', 2)]).toEqual(['none', 'pass', undefined]);
  expect(resultsIn('Received: x\r\nAuthentication-Results: mx;\r\n\tspf=pass;\r\n dkim=none\r\nX: y\r\n')).toBe(
    'mx; spf=pass; dkim=none',
  );
  expect(resultsIn('Received: x\r\n')).toBeUndefined();
});
