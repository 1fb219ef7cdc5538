import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { Principal } from '#identity';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { EndedCall } from '../domain/run.js';
import { MakeCalls, RotateCallSecret } from './make-calls.use-case.js';
import {
  CallQueue,
  CallSecretRepository,
  CallSecrets,
  LeasedCall,
  StepAnswer,
  StepCall,
  StepCaller,
} from './ports/step-calls.port.js';

const clock = new FakeClock(new Date('2026-07-01T12:00:00Z'));

class GivenCalls extends CallQueue {
  due: LeasedCall[] = [];
  readonly busy: (readonly [string, number])[][] = [];
  readonly ended: EndedCall[] = [];
  readonly retried: unknown[] = [];

  async lease(_now: Date, _limit: number, busy: ReadonlyMap<string, number>): Promise<readonly LeasedCall[]> {
    this.busy.push([...busy]);
    return this.due;
  }

  async end(_call: LeasedCall, ended: EndedCall): Promise<void> {
    this.ended.push(ended);
  }

  async retry(_call: LeasedCall, because: string, at: Date): Promise<void> {
    this.retried.push([because, Math.floor((at.getTime() - clock.now().getTime()) / 1_000)]);
  }
}

class GivenSecrets extends CallSecretRepository {
  async of(): Promise<CallSecrets> {
    return { current: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', previous: 'whsec_bmV3' };
  }

  async rotate(): Promise<void> {}

  async reseal(): Promise<void> {}
}

class GivenHost extends StepCaller {
  readonly calls: StepCall[] = [];
  answer: StepAnswer = { status: 200, body: '{"stock":3}', error: null, isFinal: false };

  async call(call: StepCall): Promise<StepAnswer> {
    this.calls.push(call);
    return this.answer;
  }
}

const call = (attempts = 1): LeasedCall => ({
  id: '0193a1f6-0b7e-7d25-9c48-0a1b2c3d4e5f',
  teamId: 'team',
  runId: newId(),
  stepKey: 'ask',
  url: 'https://a.test/hooks#x',
  body: { plan: 'pro' },
  attempts,
});
let queue: GivenCalls;
let host: GivenHost;
let makeCalls: MakeCalls;

beforeEach(() => {
  [queue, host] = [new GivenCalls(), new GivenHost()];
  makeCalls = new MakeCalls(queue, new GivenSecrets(), host, clock);
});

it('a call is signed with both secrets, under an id that stays the same', async () => {
  await makeCalls.make(call());
  await makeCalls.make(call(2));
  expect(host.calls[0]).toMatchObject({ teamId: 'team', url: 'https://a.test/hooks', body: '{"plan":"pro"}' });
  const { headers } = host.calls[0] as StepCall;
  expect(headers['webhook-id']).toBe('msg_0193a1f60b7e7d259c480a1b2c3d4e5f');
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  expect(host.calls[1]?.headers['webhook-id']).toBe(headers['webhook-id']);
  expect(queue.ended[0]).toEqual({ status: 200, attempts: 1, error: null, answer: { stock: 3 } });
});

it.each([
  ['not JSON', null],
  ['', null],
  [undefined, null],
  ['[1,2]', [1, 2]],
  [`${'['.repeat(50)}${']'.repeat(50)}`, null],
])('an answer of %j can be used as %j', async (body, answer) => {
  host.answer = { status: 204, body, error: null, isFinal: false };
  await makeCalls.make(call());
  expect(queue.ended).toMatchObject([{ status: 204, error: null, answer }]);
});

it('a call that fails is made again, and ends with the last attempt', async () => {
  host.answer = { status: 500, body: undefined, error: null, isFinal: false };
  await makeCalls.make(call());
  expect(queue.retried).toEqual([['The call was answered with HTTP status 500. This was attempt 1 of 8.', 5]]);
  await makeCalls.make(call(8));
  expect(queue.ended).toEqual([
    { status: 500, attempts: 8, error: 'The call was answered with HTTP status 500.', answer: null },
  ]);
});

it('a call that can never be made ends at once', async () => {
  host.answer = { status: 0, body: undefined, error: 'The URL leads to an address that is not public.', isFinal: true };
  await makeCalls.make(call());
  expect([queue.retried, queue.ended.length]).toEqual([[], 1]);
});

it('the queue is told how many calls of a team are under way', async () => {
  queue.due = [call(), call()];
  const leased = await makeCalls.lease(10);
  await makeCalls.lease(10);
  for (const each of leased) await makeCalls.make(each);
  queue.due = [];
  await makeCalls.lease(10);
  // The second lease took two more.
  expect(queue.busy).toEqual([[], [['team', 2]], [['team', 2]]]);
});

class RememberedSecrets extends CallSecretRepository {
  readonly rotated: unknown[] = [];

  async of(): Promise<CallSecrets> {
    throw new Error('not asked for');
  }

  async rotate(...given: unknown[]): Promise<void> {
    this.rotated.push(given);
  }

  async reseal(): Promise<void> {}
}

it('a new secret is shown to those who may change automations, and the previous one signs for a day', async () => {
  const repository = new RememberedSecrets();
  const secrets = new RotateCallSecret(repository, new FakeClock(new Date('2026-07-01T12:00:00Z')));
  const teamId = newId();
  const owner = Principal.ofUser({ id: newId(), teamId, role: 'owner' });
  const secret = await secrets.rotate(owner);
  expect(secret).toMatch(/^whsec_/);
  expect(repository.rotated).toEqual([[teamId, secret, new Date('2026-07-02T12:00:00Z')]]);
  const viewer = Principal.ofUser({ id: newId(), teamId, role: 'viewer' });
  await expect(secrets.rotate(viewer)).rejects.toThrow();
});
