import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryMessages } from '../../../../test/support/in-memory-messages.js';
import { ReplayMessages } from './replay-messages.use-case.js';
import { ReplayFilter } from './ports/message-log.port.js';

const failed: ReplayFilter = { from: undefined, to: undefined, types: undefined, statuses: ['failed'] };
let rig: InMemoryMessages;
let replayMessages: ReplayMessages;
let webhookId: string;

beforeEach(async () => {
  rig = new InMemoryMessages();
  replayMessages = new ReplayMessages(
    rig.webhooks,
    rig.log,
    { wake: async (id) => void rig.woken.push(id) },
    rig.clock,
  );
  webhookId = await rig.endpoint();
});

it('one message is due again, and whoever sends to the endpoint is told', async () => {
  const { id } = rig.add(webhookId);
  await replayMessages.one(rig.teamId, webhookId, id);
  expect(await rig.log.find(webhookId, id)).toMatchObject({ status: 'pending', nextAttemptAt: rig.clock.now() });
  expect(rig.woken).toEqual([webhookId]);
});

it('all that fit are due at the same moment, the others stay as they are', async () => {
  for (let n = 0; n < 1_500; n++) rig.add(webhookId);
  const { id } = rig.add(webhookId, { status: 'success' });
  expect(await replayMessages.all(rig.teamId, webhookId, failed, undefined)).toEqual({
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

it('one request looks at so many, and the next goes on behind them', async () => {
  const looks: (string | undefined)[] = [];
  const ids = Array.from({ length: 60 }, () => newId());
  rig.log.replayBatch = async (_webhookId, _filter, after) => {
    looks.push(after);
    return { replayed: 1, last: ids[looks.length] };
  };
  const first = await replayMessages.all(rig.teamId, webhookId, failed, undefined);
  expect(first).toEqual({ replayed: 50, next: ids[50] });
  const rest = await replayMessages.all(rig.teamId, webhookId, failed, first.next);
  expect(rest).toEqual({ replayed: 10, next: undefined });
  expect(looks).toEqual([undefined, ...ids.slice(1)]);
});

it('nobody is told where nothing is replayed, or where there is no such message or endpoint', async () => {
  expect(await replayMessages.all(rig.teamId, webhookId, failed, undefined)).toEqual({ replayed: 0, next: undefined });
  await expect(replayMessages.one(rig.teamId, webhookId, newId())).rejects.toThrow('Webhook event not found');
  const { id } = rig.add(webhookId);
  await expect(replayMessages.one(newId(), webhookId, id)).rejects.toThrow('Webhook not found');
  await expect(replayMessages.all(newId(), webhookId, failed, undefined)).rejects.toThrow('Webhook not found');
  expect(rig.woken).toEqual([]);
});
