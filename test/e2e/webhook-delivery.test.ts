import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Broadcast, Database } from '#platform/database';
import { LaneEndpoint, MessageQueue } from '../../libs/webhooks/src/application/ports/message-queue.port.js';
import { TidyWebhooks } from '../../libs/webhooks/src/application/tidy-webhooks.use-case.js';
import { TestClock } from '../support/test-clock.js';
import { until } from '../support/until.js';
import { ReceivedCall, WebhookReceiver } from '../support/webhook-receiver.js';
import { startWebhooksProgram, WebhooksProgram } from '../support/webhooks-program.js';
import { inOneProcess } from '../support/start-for-test.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const events = ['email.sent', 'email.delivered'];

let clock: TestClock;
let program: WebhooksProgram;
let receiver: WebhookReceiver;

beforeEach(async () => {
  clock = new TestClock();
  program = await startWebhooksProgram(inOneProcess, clock);
  receiver = await WebhookReceiver.listen();
});

afterEach(async () => {
  // First, so that the program has no calls to wait for.
  await receiver.close();
  await program.stop();
});

const database = (): Database => program.postrider.app.get(Database);

/** Moves the clock, and has looked at once for what has come due. */
async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await program.postrider.app.get(Broadcast).send('webhook-work', '');
}

async function statuses(): Promise<string[]> {
  const rows = await database().query<{ status: string }>({ text: 'SELECT status FROM webhook_messages ORDER BY id' });
  return rows.map(({ status }) => status);
}

const haveStatus = (status: string, count: number): Promise<true> =>
  until(async () => (await statuses()).filter((shown) => shown === status).length === count);

interface Health extends Record<string, unknown> {
  readonly failures: number;
  readonly probe_at: Date | null;
  readonly status: string;
}

async function healthOf(id: string): Promise<Health> {
  const [row] = await database().query<Health>({
    text: 'SELECT failures, probe_at, status FROM webhooks WHERE id = $1',
    values: [id],
  });
  return row as Health;
}

/** Numbers of the events of each email, in the order in which they were accepted. */
function sequences(calls: readonly ReceivedCall[]): Map<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const { payload } of calls) {
    const id = payload.data.email_id as string;
    numbers.set(id, [...(numbers.get(id) ?? []), payload.sequence ?? 0]);
  }
  return numbers;
}

async function sendEmails(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await program.send(`user${n}@inbox.test`));
  return ids;
}

interface ReplayResponse {
  readonly replayed: number;
  readonly has_more: boolean;
  readonly next: string | null;
}

async function replayAll(webhookId: string, filter: object = {}): Promise<ReplayResponse> {
  const answer = await program.request(`/webhooks/${webhookId}/events/replay`, {
    method: 'POST',
    body: JSON.stringify(filter),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as ReplayResponse;
}

describe('a message', () => {
  it('is tried eight times on the schedule of the contract, under one id with the same bytes, and then has failed', async () => {
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

  it('counts a redirect as a failure, and follows none', async () => {
    receiver.react = () => 302;
    await program.addWebhook(receiver.url, ['email.sent']);
    await program.send('ann@inbox.test');
    await haveStatus('attempting', 1);
    expect(receiver.calls).toHaveLength(1);
  });
});

describe('an endpoint that is down', () => {
  it('for a day and is then replayed has every event once per id, each email in the order of its events', async () => {
    const { id: webhookId } = await program.addWebhook(receiver.url, events);
    receiver.react = () => 503;
    const emails = await sendEmails(12);
    await until(async () => (await statuses()).length === 24);
    await until(async () => (await healthOf(webhookId)).probe_at !== null);
    const callsWhenDown = receiver.calls.length;
    for (let hours = 0; hours < 24; hours++) await advance(hour);
    emails.push(...(await sendEmails(3)));
    await until(async () => (await statuses()).length === 30);
    // Down, it is asked now and then, with one message: nobody's tries are used up at full speed.
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

  it('comes back by itself: what waited is sent without anybody asking', async () => {
    receiver.react = () => 503;
    const { id } = await program.addWebhook(receiver.url, events);
    await sendEmails(10);
    await until(async () => (await healthOf(id)).probe_at !== null);
    receiver.react = () => 200;
    await advance(6 * minute);
    await haveStatus('success', 20);
  });

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
  it('keeps its events and gets them in order once it is enabled', async () => {
    const { id } = await program.addWebhook(receiver.url, events);
    const woken: string[] = [];
    program.postrider.app.get(Broadcast).on('webhook-work', (webhookId) => {
      if (webhookId !== '') woken.push(webhookId);
    });
    await program.changeWebhook(id, { status: 'disabled' });
    await until(() => woken.length === 1);
    const emails = await sendEmails(5);
    await until(async () => (await statuses()).length === 10);
    await advance(6 * day);
    expect(receiver.calls).toEqual([]);
    // By the change, and by none of the events.
    expect(woken).toEqual([id]);
    await program.changeWebhook(id, { status: 'enabled' });
    await until(() => receiver.accepted.length === 10);
    const seen = sequences(receiver.accepted);
    expect([...seen.keys()].sort()).toEqual([...emails].sort());
    for (const numbers of seen.values()) expect(numbers).toEqual([1, 2]);
  });
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
      const found = laneFinds((endpoint) => endpoint?.url === other.url);
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

  it('is refused where the filter makes no sense', async () => {
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
      const answer = await program.request(`/webhooks/${id}/events/replay`, { method: 'POST', body });
      expect(answer.status).toBe(422);
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
    await program.postrider.app.get(TidyWebhooks).execute();
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
    await program.postrider.app.get(TidyWebhooks).execute();
    expect(await database().query({ text: 'SELECT FROM webhook_queue' })).toEqual([]);
    expect((await statuses()).slice(2)).toEqual(['failed']);
    const rows = await database().query({ text: 'SELECT FROM webhooks WHERE sealed_previous_secret IS NOT NULL' });
    expect(rows).toEqual([]);
  });
});
