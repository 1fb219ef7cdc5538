import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryMessages } from '../../../../test/support/fakes/in-memory-messages.js';
import { CallResult } from '../domain/webhook-message.js';
import { CallEndpoint } from './call-endpoint.use-case.js';
import { SettleCalls } from './drain-endpoint.use-case.js';
import { FinishedCall, WebhookCall } from './ports/webhook-calls.port.js';
import { SendTestEvent } from './send-test-event.use-case.js';

const refused: CallResult = { status: 0, response: 'The connection was refused', durationMs: 3 };
let rig: InMemoryMessages;
let tests: SendTestEvent;
let webhookId: string;
let made: WebhookCall[];
let settled: FinishedCall[];

beforeEach(async () => {
  rig = new InMemoryMessages();
  [made, settled] = [[], []];
  tests = new SendTestEvent(
    rig.repository,
    rig.log,
    new CallEndpoint({ call: async (call) => (made.push(call), refused) }, undefined),
    { settle: async (call: FinishedCall) => (settled.push(call), 'up') } as unknown as SettleCalls,
    rig.signal,
    rig.clock,
  );
  webhookId = await rig.endpoint();
});

it('an endpoint is called at once, and the answer is settled and returned', async () => {
  const { id, result } = await tests.send(rig.teamId, webhookId);
  expect(result).toEqual(refused);
  expect(made).toMatchObject([{ webhookId, url: 'https://hooks.test/' }]);
  expect(settled).toMatchObject([{ message: { id, webhookId, attempt: 0 }, result: refused }]);
  expect(rig.woken).toEqual([webhookId]);
});

it('workers leave a test event to its caller for longer than a call can last', async () => {
  const { id } = await tests.send(rig.teamId, webhookId);
  const inHalfAMinute = new Date(rig.clock.now().getTime() + 30_000);
  expect(await rig.log.find(webhookId, id)).toMatchObject({ type: 'webhook.test', nextAttemptAt: inHalfAMinute });
});

it('a disabled endpoint, and one of another team, get no test event', async () => {
  await rig.webhooks.change(rig.teamId, webhookId, { status: 'disabled' });
  await expect(tests.send(rig.teamId, webhookId)).rejects.toThrow('disabled');
  await expect(tests.send(newId(), webhookId)).rejects.toThrow('not found');
  expect([rig.log.rows.where(() => true), made]).toEqual([[], []]);
});

it('slow endpoints hold a few connections of their team, and none of others', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const slow = new SendTestEvent(
    rig.repository,
    rig.log,
    new CallEndpoint({ call: () => answered.then(() => refused) }, undefined),
    { settle: async () => 'up' } as unknown as SettleCalls,
    rig.signal,
    rig.clock,
  );
  const sent = [1, 2, 3].map(() => slow.send(rig.teamId, webhookId));
  await expect(slow.send(rig.teamId, webhookId)).rejects.toThrow('Too many test events');
  answer();
  await Promise.all(sent);
  await expect(slow.send(rig.teamId, webhookId)).resolves.toMatchObject({ result: refused });
});
