import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryMessages } from '../../../../test/support/in-memory-messages.js';
import { TestWebhook } from './test-webhook.use-case.js';

let rig: InMemoryMessages;
let added: string[];
let testWebhook: TestWebhook;
let webhookId: string;

beforeEach(async () => {
  rig = new InMemoryMessages();
  added = [];
  const messages = { add: async (_teamId: string, id: string) => (added.push(id), 'message') };
  testWebhook = new TestWebhook(rig.webhooks, messages, { wake: async (id) => void rig.woken.push(id) }, rig.clock);
  webhookId = await rig.endpoint();
});

it('an endpoint gets a message, and whoever sends to it is told', async () => {
  expect(await testWebhook.execute(rig.teamId, webhookId)).toBe('message');
  expect([added, rig.woken]).toEqual([[webhookId], [webhookId]]);
});

it('a disabled endpoint, and one of another team, get none', async () => {
  await rig.webhooks.change(rig.teamId, webhookId, { status: 'disabled' });
  await expect(testWebhook.execute(rig.teamId, webhookId)).rejects.toThrow('disabled');
  await expect(testWebhook.execute(newId(), webhookId)).rejects.toThrow('not found');
  expect(added).toEqual([]);
});
