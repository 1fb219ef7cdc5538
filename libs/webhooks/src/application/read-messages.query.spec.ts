import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryMessages } from '../../../../test/support/in-memory-messages.js';
import { ReadMessages } from './read-messages.query.js';

let rig: InMemoryMessages;
let readMessages: ReadMessages;
let webhookId: string;

beforeEach(async () => {
  rig = new InMemoryMessages();
  readMessages = new ReadMessages(rig.webhooks, rig.log, rig.events);
  webhookId = await rig.endpoint();
});

it('lists the messages of an endpoint, newest first', async () => {
  const [first, second] = [rig.add(webhookId), rig.add(webhookId)];
  rig.add(await rig.endpoint());
  expect(await readMessages.list(rig.teamId, webhookId, { limit: 10 })).toEqual({
    items: [second, first],
    hasMore: false,
  });
});

it('shows the attempts of a message, newest first', async () => {
  const { id } = rig.add(webhookId);
  const attempt = { messageId: id, sentAt: rig.clock.now(), status: 500, response: 'no', durationMs: 1 };
  const [first, second] = [newId(), newId()];
  for (const attemptId of [first, second]) rig.log.attemptRows.set({ id: attemptId, ...attempt });
  const { items } = await readMessages.attempts(rig.teamId, webhookId, id, { limit: 10 });
  expect(items.map((item) => item.id)).toEqual([second, first]);
});

it('shows the payload as it is sent, while its event is stored', async () => {
  const message = rig.add(webhookId, { createdAt: new Date('2026-11-22T00:00:00Z') });
  expect(await readMessages.payloadOf(message)).toBe(
    '{"type":"suppression.added","created_at":"2026-11-22T00:00:00.000Z","data":{"id":1}}',
  );
  rig.events.byId.clear();
  expect(await readMessages.payloadOf(message)).toBeUndefined();
});

it('shows a message under its own endpoint and to its own team alone', async () => {
  const message = rig.add(webhookId);
  expect(await readMessages.find(rig.teamId, webhookId, message.id)).toEqual(message);
  const other = await rig.endpoint();
  await expect(readMessages.find(rig.teamId, other, message.id)).rejects.toThrow('Webhook event not found');
  await expect(readMessages.find(newId(), webhookId, message.id)).rejects.toThrow('Webhook not found');
  await expect(readMessages.list(newId(), webhookId, { limit: 1 })).rejects.toThrow('Webhook not found');
  const attempts = readMessages.attempts(newId(), webhookId, message.id, { limit: 1 });
  await expect(attempts).rejects.toThrow('Webhook not found');
});
