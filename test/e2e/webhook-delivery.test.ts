import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ProcessNotifications } from '#postgres/database';
import { until } from '../support/runner/until.js';
import {
  minute,
  hour,
  day,
  events,
  clock,
  program,
  receiver,
  startDeliveries,
  stopDeliveries,
  restartDeliveries,
  startReceiver,
  endDeliveries,
  database,
  advance,
  statuses,
  haveStatus,
  healthOf,
  sequences,
  sendEmails,
  replayAll,
} from '../support/builders/webhook-deliveries.js';

beforeAll(startDeliveries);
beforeEach(startReceiver);
afterEach(endDeliveries);
afterAll(stopDeliveries);

describe('a message', () => {
  it('that was replayed has all its tries again', async () => {
    receiver.react = () => 500;
    const { id: webhookId } = await program.addWebhook(receiver.url, ['email.sent']);
    await program.send('ann@inbox.test');
    await haveStatus('attempting', 1);
    receiver.react = () => 204;
    const eventId = receiver.calls[0]?.id ?? '';
    await program.resend.webhooks.events.replay({ webhookId, eventId });
    await haveStatus('success', 1);
    expect(receiver.accepted.map(({ id }) => id)).toEqual([eventId]);
    await program.resend.webhooks.events.replay({ webhookId, eventId });
    await until(() => receiver.accepted.length === 2);
  });

  it('fails on a redirect, which is not followed', async () => {
    receiver.react = () => 302;
    await program.addWebhook(receiver.url, ['email.sent']);
    await program.send('ann@inbox.test');
    await haveStatus('attempting', 1);
    expect(receiver.calls).toHaveLength(1);
  });
});

describe('a replay of many', () => {
  it('takes those of a time range, types and statuses, and leaves the others', async () => {
    const { id } = await program.addWebhook(receiver.url, events);
    await sendEmails(2);
    await haveStatus('success', 4);
    await advance(hour);
    const from = clock.now().toISOString();
    const [later] = await sendEmails(1);
    await haveStatus('success', 6);
    expect((await replayAll(id)).replayed).toBe(0);
    expect((await replayAll(id, { from, types: ['email.sent'], statuses: ['success'] })).replayed).toBe(1);
    await until(() => receiver.accepted.length === 7);
    expect(receiver.accepted[6]?.payload).toMatchObject({ type: 'email.sent', data: { email_id: later } });
    expect((await replayAll(id, { to: from, statuses: ['success'] })).replayed).toBe(4);
    await until(() => receiver.accepted.length === 11);
    expect(new Set(receiver.accepted.map(({ id: messageId }) => messageId)).size).toBe(6);
  });

  it('is refused if the filter is invalid', async () => {
    const { id } = await program.addWebhook(receiver.url, events);
    const filters = [
      { from: 'yesterday' },
      { types: ['email.eaten'] },
      { statuses: ['lost'] },
      { statuses: 7 },
      { after: 'x' },
    ];
    for (const filter of filters) {
      const body = JSON.stringify(filter);
      const response = await program.request(`/webhooks/${id}/events/replay`, { method: 'POST', body });
      expect(response.status).toBe(422);
    }
  });
});

describe('an endpoint that is down', () => {
  it('recovers by itself: waiting messages are sent without a replay', async () => {
    receiver.react = () => 503;
    const { id } = await program.addWebhook(receiver.url, events);
    await sendEmails(10);
    await until(async () => (await healthOf(id)).probe_at !== null);
    receiver.react = () => 200;
    // Calls that were under way when the clock moved have failed, and are due again later.
    await until(async () => {
      await advance(6 * minute);
      return (await statuses()).every((status) => status === 'success');
    });
    expect(await statuses()).toHaveLength(20);
  });
});

// After all that wait for deliveries: what is sent a day later may not be delivered.
describe('a message that fails', () => {
  it('is tried eight times on the schedule of the contract, under one id with the same bytes, and then fails', async () => {
    receiver.react = () => 500;
    const { id: webhookId } = await program.addWebhook(receiver.url, ['email.sent']);
    await program.send('ann@inbox.test');
    const waits = [5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
    await haveStatus('attempting', 1);
    for (const [tries, wait] of waits.entries()) {
      const [row] = await database().query<{ due_at: Date; attempt: number }>({ text: 'SELECT * FROM webhook_queue' });
      expect(row?.attempt).toBe(tries + 1);
      const planned = (row?.due_at.getTime() ?? 0) - clock.now().getTime();
      expect(planned).toBeGreaterThanOrEqual(wait);
      expect(planned).toBeLessThanOrEqual(wait * 1.1);
      await advance(wait - 1_000);
      expect(receiver.calls).toHaveLength(tries + 1);
      await advance(wait * 0.1 + 1_001);
      await until(async () => {
        const [next] = await database().query<{ attempt: number }>({ text: 'SELECT attempt FROM webhook_queue' });
        return next?.attempt !== tries + 1;
      });
    }
    await haveStatus('failed', 1);
    expect(receiver.calls).toHaveLength(8);
    expect(new Set(receiver.calls.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
    expect(new Set(receiver.calls.map(({ timestamp }) => timestamp)).size).toBe(8);

    const eventId = receiver.calls[0]?.id ?? '';
    const { data } = await program.resend.webhooks.events.attempts.list({ webhookId, eventId, limit: 100 });
    expect(data?.data.map(({ http_status_code }) => http_status_code)).toEqual(Array.from({ length: 8 }, () => 500));
  });
});

describe('an endpoint that is down for a day', () => {
  beforeAll(restartDeliveries);

  it('and is then replayed gets every event once, in order for each email', async () => {
    const { id: webhookId } = await program.addWebhook(receiver.url, events);
    receiver.react = () => 503;
    const emails = await sendEmails(12);
    await until(async () => (await statuses()).length === 24);
    await until(async () => (await healthOf(webhookId)).probe_at !== null);
    const callsWhenDown = receiver.calls.length;
    for (let hours = 0; hours < 24; hours++) await advance(hour);
    emails.push(...(await sendEmails(3)));
    await until(async () => (await statuses()).length === 30);
    // While it is down, it is probed now and then with one message, so that the messages keep their tries.
    expect(receiver.calls.length).toBeLessThan(callsWhenDown + 60);
    expect(receiver.accepted).toEqual([]);

    receiver.react = () => 200;
    const { replayed, has_more } = await replayAll(webhookId);
    expect({ replayed, has_more }).toEqual({ replayed: 30, has_more: false });
    await advance(10 * minute);
    await haveStatus('success', 30);
    expect(receiver.accepted).toHaveLength(30);
    expect(new Set(receiver.accepted.map(({ id }) => id)).size).toBe(30);
    const seen = sequences(receiver.accepted);
    expect([...seen.keys()].sort()).toEqual([...emails].sort());
    for (const numbers of seen.values()) expect(numbers).toEqual([1, 2]);
    expect(await healthOf(webhookId)).toMatchObject({ failures: 0, probe_at: null });
  });
});

describe('an endpoint that stays down', () => {
  beforeAll(restartDeliveries);

  it('for five days is disabled with the reason shown, keeps its events, and gets them once it is enabled', async () => {
    receiver.react = () => 500;
    const { id } = await program.addWebhook(receiver.url, ['email.sent']);
    await program.send('ann@inbox.test');
    await haveStatus('attempting', 1);
    for (let tries = 1; (await healthOf(id)).status === 'enabled'; tries++) {
      expect(tries).toBeLessThan(20);
      const { failures } = await healthOf(id);
      await program.send('ann@inbox.test');
      await advance(11 * hour);
      await until(async () => (await healthOf(id)).failures > failures);
    }
    const failing = receiver.calls.length;
    const shown = await (await program.request(`/webhooks/${id}`)).json();
    expect(shown).toMatchObject({ status: 'disabled', disabled_reason: 'Every call failed for 5 days' });
    const later = await program.send('bob@inbox.test');
    await advance(hour);
    expect(receiver.calls).toHaveLength(failing);

    receiver.react = () => 200;
    await program.changeWebhook(id, { status: 'enabled' });
    await until(() => receiver.accepted.some(({ payload }) => payload.data.email_id === later));
    expect(await (await program.request(`/webhooks/${id}`)).json()).toMatchObject({ disabled_reason: null });
  });
});

describe('an endpoint that fails now and then', () => {
  beforeAll(restartDeliveries);

  it('is not disabled for failures far apart', async () => {
    receiver.react = () => 500;
    const { id } = await program.addWebhook(receiver.url, ['email.sent']);
    await program.send('ann@inbox.test');
    await haveStatus('attempting', 1);
    await database().execute({ text: 'DELETE FROM webhook_queue' });
    await advance(6 * day);
    await program.send('ann@inbox.test');
    await until(() => receiver.calls.length === 2);
    await until(async () => (await healthOf(id)).failures === 2);
    expect((await healthOf(id)).status).toBe('enabled');
  });
});

describe('a disabled endpoint', () => {
  beforeAll(restartDeliveries);

  it('keeps its events and gets them in order once it is enabled', async () => {
    const { id } = await program.addWebhook(receiver.url, events);
    const woken: string[] = [];
    program.postrider.app.get(ProcessNotifications).on('webhook-work', (webhookId) => {
      if (webhookId !== '') woken.push(webhookId);
    });
    await program.changeWebhook(id, { status: 'disabled' });
    await until(() => woken.length === 1);
    const emails = await sendEmails(5);
    await until(async () => (await statuses()).length === 10);
    await advance(6 * day);
    expect(receiver.calls).toEqual([]);
    // The change woke the lane. The events did not.
    expect(woken).toEqual([id]);
    await program.changeWebhook(id, { status: 'enabled' });
    await until(() => receiver.accepted.length === 10);
    const seen = sequences(receiver.accepted);
    expect([...seen.keys()].sort()).toEqual([...emails].sort());
    for (const numbers of seen.values()) expect(numbers).toEqual([1, 2]);
  });
});
