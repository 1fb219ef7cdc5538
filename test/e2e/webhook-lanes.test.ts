import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LaneEndpoint, MessageQueue } from '../../libs/webhooks/src/application/ports/message-queue.port.js';
import { WebhookTidying } from '../../libs/webhooks/src/infrastructure/worker/webhook-tidying.js';
import { until } from '../support/runner/until.js';
import { WebhookReceiver } from '../support/servers/webhook-receiver.js';
import {
  hour,
  day,
  events,
  clock,
  program,
  receiver,
  startDeliveries,
  stopDeliveries,
  startReceiver,
  database,
  statuses,
  haveStatus,
  sendEmails,
} from '../support/builders/webhook-deliveries.js';

// A program of its own for each: what it has seen of a server changes how it calls it.
beforeEach(async () => {
  await startDeliveries();
  await startReceiver();
});
afterEach(async () => {
  // First, so that the program has no calls to wait for.
  await receiver.close();
  await stopDeliveries();
});

describe('messages in hand', () => {
  /** Many messages wait behind as many calls as an endpoint may have, none of which is answered. */
  async function haveInHand(): Promise<string> {
    receiver.react = () => 'hang';
    const { id } = await program.addWebhook(receiver.url, ['email.sent']);
    await program.changeWebhook(id, { status: 'disabled' });
    await sendEmails(100);
    await program.changeWebhook(id, { status: 'enabled' });
    await until(() => receiver.calls.length === 32);
    receiver.react = () => 200;
    return id;
  }

  /** Resolves when the lane has found its endpoint to be so. */
  function laneFinds(isSo: (endpoint: LaneEndpoint | undefined) => boolean): Promise<void> {
    const queue = program.postrider.app.get(MessageQueue, { strict: false });
    const work = queue.work.bind(queue);
    return new Promise((resolve) => {
      queue.work = async (...asked) => {
        const found = await work(...asked);
        // Once who asked has gone on with the answer.
        if (isSo(found?.endpoint)) setImmediate(resolve);
        return found;
      };
    });
  }

  it.each([
    ['disabled', (id: string) => program.changeWebhook(id, { status: 'disabled' })],
    ['deleted', (id: string) => program.resend.webhooks.remove(id)],
  ])('are not sent to an endpoint that has been %s', async (_, end) => {
    const id = await haveInHand();
    const found = laneFinds((endpoint) => endpoint === undefined);
    await end(id);
    await found;
    receiver.release();
    await until(async () => (await database().query({ text: 'SELECT FROM webhook_lanes' })).length === 0);
    expect(receiver.calls.length).toBe(32);
  });

  it('are sent where the endpoint has moved to', async () => {
    const other = await WebhookReceiver.listen();
    try {
      const id = await haveInHand();
      const found = laneFinds((endpoint) => endpoint?.endpoint === other.url);
      await program.changeWebhook(id, { endpoint: other.url });
      await found;
      receiver.release();
      await haveStatus('success', 100);
      expect([receiver.calls.length, other.accepted.length]).toEqual([32, 68]);
    } finally {
      await other.close();
    }
  });
});

describe('an endpoint that hangs', () => {
  it('does not slow another', async () => {
    const other = await WebhookReceiver.listen();
    try {
      receiver.react = () => 'hang';
      await program.addWebhook(receiver.url, events);
      await program.addWebhook(other.url, events);
      await sendEmails(40);
      // Before the first call to the first has waited its 15 seconds.
      await until(() => other.accepted.length === 80, 14_000);
      // It has not had one answer by then, and holds no more than its share of calls.
      expect(receiver.accepted).toEqual([]);
      expect(receiver.calls.length).toBeLessThanOrEqual(32);
      expect(await statuses()).toContain('pending');
    } finally {
      await other.close();
    }
  });

  it('does not slow those behind the same server', async () => {
    receiver.react = ({ path }) => (path === '/hooks' ? 200 : 'hang');
    const hanging = [
      await program.addWebhook(`${receiver.url}/slow`, events),
      await program.addWebhook(`${receiver.url}/dead`, events),
    ];
    for (const { id } of hanging) await program.changeWebhook(id, { status: 'disabled' });
    await sendEmails(32);
    for (const { id } of hanging) await program.changeWebhook(id, { status: 'enabled' });
    await until(() => receiver.calls.length === 64);
    await program.addWebhook(receiver.url, events);
    await sendEmails(3);
    await until(() => receiver.accepted.length === 6);
    // None of the others has come to an end by then.
    expect(receiver.calls).toHaveLength(70);
    expect(await statuses()).not.toContain('attempting');
  });
});

describe('what nobody waits for', () => {
  it('goes: messages of removed endpoints', async () => {
    receiver.react = () => 500;
    const { id } = await program.addWebhook(receiver.url, events);
    await sendEmails(3);
    await haveStatus('attempting', 6);
    await program.resend.webhooks.remove(id);
    await program.postrider.app.get(WebhookTidying).tidy();
    expect(await database().query({ text: 'SELECT FROM webhook_queue' })).toEqual([]);
  });

  // Last: ids never go back within a process, and a month ahead there are no partitions for what is sent after it.
  it('goes: a secret after its overlap, and messages after thirty days', async () => {
    const { id } = await program.addWebhook(receiver.url, ['email.sent']);
    await program.resend.webhooks.rotateSigningSecret(id);
    await program.changeWebhook(id, { status: 'disabled' });
    await sendEmails(2);
    await until(async () => (await statuses()).length === 2);
    clock.advance(25 * hour);
    await program.changeWebhook(id, { status: 'enabled' });
    const call = await until(() => receiver.accepted[0]);
    expect(call.signature.split(' ')).toHaveLength(1);

    await haveStatus('success', 2);
    await program.changeWebhook(id, { status: 'disabled' });
    await sendEmails(1);
    await until(async () => (await statuses()).length === 3);
    clock.advance(31 * day);
    await program.postrider.app.get(WebhookTidying).tidy();
    expect(await database().query({ text: 'SELECT FROM webhook_queue' })).toEqual([]);
    expect((await statuses()).slice(2)).toEqual(['failed']);
    const rows = await database().query({ text: 'SELECT FROM webhooks WHERE sealed_previous_secret IS NOT NULL' });
    expect(rows).toEqual([]);
  });
});
