import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryMessages } from '../../../../test/support/fakes/in-memory-messages.js';
import { CallEndpoint } from './call-endpoint.use-case.js';
import { ReplayFilter } from './ports/message-log.port.js';
import { WebhookMessages } from './webhook-messages.use-case.js';

const failed: ReplayFilter = { from: undefined, to: undefined, types: undefined, statuses: ['failed'] };
let rig: InMemoryMessages;
let messages: WebhookMessages;
let webhookId: string;

beforeEach(async () => {
  rig = new InMemoryMessages();
  const caller = new CallEndpoint({ call: async () => undefined }, undefined);
  messages = new WebhookMessages(rig.webhooks, rig.log, rig.events, caller, rig.signal, rig.clock);
  webhookId = await rig.endpoint();
});

it('lists the messages of an endpoint, newest first', async () => {
  const [first, second] = [rig.add(webhookId), rig.add(webhookId)];
  rig.add(await rig.endpoint());
  expect(await messages.list(rig.teamId, webhookId, { limit: 10 })).toEqual({
    items: [second, first],
    hasMore: false,
  });
});

it('shows the attempts of a message, newest first', async () => {
  const { id } = rig.add(webhookId);
  const attempt = { messageId: id, sentAt: rig.clock.now(), status: 500, response: 'no', durationMs: 1 };
  const [first, second] = [newId(), newId()];
  for (const attemptId of [first, second]) rig.log.attemptRows.set({ id: attemptId, ...attempt });
  const { items } = await messages.attempts(rig.teamId, webhookId, id, { limit: 10 });
  expect(items.map((item) => item.id)).toEqual([second, first]);
});

it('shows the payload as it is sent, while its event is stored', async () => {
  const message = rig.add(webhookId, { createdAt: new Date('2026-11-22T00:00:00Z') });
  expect(await messages.payloadOf(rig.teamId, message)).toBe(
    '{"type":"suppression.added","created_at":"2026-11-22T00:00:00.000Z","data":{"id":1}}',
  );
  rig.events.byId.clear();
  expect(await messages.payloadOf(rig.teamId, message)).toBeUndefined();
});

it('shows a message under its own endpoint and to its own team alone', async () => {
  const message = rig.add(webhookId);
  expect(await messages.find(rig.teamId, webhookId, message.id)).toEqual(message);
  const other = await rig.endpoint();
  await expect(messages.find(rig.teamId, other, message.id)).rejects.toThrow('Webhook event not found');
  await expect(messages.find(newId(), webhookId, message.id)).rejects.toThrow('Webhook not found');
  await expect(messages.list(newId(), webhookId, { limit: 1 })).rejects.toThrow('Webhook not found');
  const attempts = messages.attempts(newId(), webhookId, message.id, { limit: 1 });
  await expect(attempts).rejects.toThrow('Webhook not found');
});

it('one message is due again, and the workers are told', async () => {
  const { id } = rig.add(webhookId);
  await messages.replay(rig.teamId, webhookId, id);
  expect(await rig.log.find(webhookId, id)).toMatchObject({ status: 'pending', nextAttemptAt: rig.clock.now() });
  expect(rig.woken).toEqual([webhookId]);
});

it('all that fit are due at the same moment, the others stay as they are', async () => {
  for (let n = 0; n < 1_500; n++) rig.add(webhookId);
  const { id } = rig.add(webhookId, { status: 'success' });
  expect(await messages.replayAll(rig.teamId, webhookId, failed, undefined)).toEqual({
    replayed: 1_500,
    next: undefined,
  });
  const pending = rig.log.rows.where(({ status }) => status === 'pending');
  expect(new Set(pending.map(({ nextAttemptAt }) => nextAttemptAt?.getTime()))).toEqual(
    new Set([rig.clock.now().getTime()]),
  );
  expect((await rig.log.find(webhookId, id))?.status).toBe('success');
  expect(rig.woken).toEqual([webhookId]);
});

it('one request examines a bounded number, and the next continues after them', async () => {
  const looks: (string | undefined)[] = [];
  const ids = Array.from({ length: 60 }, () => newId());
  rig.log.replayBatch = async (_webhookId, _filter, after) => {
    looks.push(after);
    return { replayed: 1, last: ids[looks.length] };
  };
  const first = await messages.replayAll(rig.teamId, webhookId, failed, undefined);
  expect(first).toEqual({ replayed: 50, next: ids[50] });
  const rest = await messages.replayAll(rig.teamId, webhookId, failed, first.next);
  expect(rest).toEqual({ replayed: 10, next: undefined });
  expect(looks).toEqual([undefined, ...ids.slice(1)]);
});

it('nobody is told if nothing is replayed, or if there is no such message or endpoint', async () => {
  expect(await messages.replayAll(rig.teamId, webhookId, failed, undefined)).toEqual({ replayed: 0, next: undefined });
  await expect(messages.replay(rig.teamId, webhookId, newId())).rejects.toThrow('Webhook event not found');
  const { id } = rig.add(webhookId);
  await expect(messages.replay(newId(), webhookId, id)).rejects.toThrow('Webhook not found');
  await expect(messages.replayAll(newId(), webhookId, failed, undefined)).rejects.toThrow('Webhook not found');
  expect(rig.woken).toEqual([]);
});
