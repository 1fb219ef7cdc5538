import { expect } from '@jest/globals';
import { ProcessNotifications, Database } from '#postgres/database';
import { WebhookTidying } from '../../../libs/webhooks/src/infrastructure/worker/webhook-tidying.js';
import { TestClock } from '../fakes/test-clock.js';
import { until } from '../runner/until.js';
import { ReceivedCall, WebhookReceiver } from '../servers/webhook-receiver.js';
import { startWebhooksProgram, WebhooksProgram } from '../programs/webhooks-program.js';
import { inOneProcess } from '../programs/start-for-test.js';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const events = ['email.sent', 'email.delivered'];

export let clock: TestClock;
export let program: WebhooksProgram;
export let receiver: WebhookReceiver;

export async function startDeliveries(): Promise<void> {
  clock = new TestClock();
  program = await startWebhooksProgram(inOneProcess, clock);
}

export const stopDeliveries = (): Promise<void> => program.stop();

/** For a test that moves the clock by days, because partitions exist for the next week only. */
export async function restartDeliveries(): Promise<void> {
  await stopDeliveries();
  await startDeliveries();
}

/** Waits until the emails of the test before are delivered, so that no endpoint of this one is told of them. */
export async function startReceiver(): Promise<void> {
  await until(async () => {
    const undelivered = await database().query({ text: `SELECT FROM emails WHERE last_event <> 'delivered'` });
    return undelivered.length === 0;
  });
  receiver = await WebhookReceiver.listen();
}

/** Leaves no endpoint or message that the next test of the same program would see. */
export async function endDeliveries(): Promise<void> {
  // First, so that the program has no calls to wait for.
  await receiver.close();
  const { data } = await program.resend.webhooks.list();
  for (const { id } of data?.data ?? []) await program.resend.webhooks.remove(id);
  await program.postrider.app.get(WebhookTidying).tidy();
}

export const database = (): Database => program.postrider.app.get(Database);

/** Moves the clock, and has looked at once for what has come due. */
export async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await program.postrider.app.get(ProcessNotifications).send('webhook-work', '');
}

export async function statuses(): Promise<string[]> {
  const rows = await database().query<{ status: string }>({
    text: 'SELECT status FROM webhook_messages WHERE webhook_id IN (SELECT id FROM webhooks) ORDER BY id',
  });
  return rows.map(({ status }) => status);
}

export const haveStatus = (status: string, count: number): Promise<true> =>
  until(async () => (await statuses()).filter((shown) => shown === status).length === count);

export interface Health extends Record<string, unknown> {
  readonly failures: number;
  readonly probe_at: Date | null;
  readonly status: string;
}

export async function healthOf(id: string): Promise<Health> {
  const [row] = await database().query<Health>({
    text: 'SELECT failures, probe_at, status FROM webhooks WHERE id = $1',
    values: [id],
  });
  return row as Health;
}

/** Numbers of the events of each email, in the order in which they were accepted. */
export function sequences(calls: readonly ReceivedCall[]): Map<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const { payload } of calls) {
    const id = payload.data.email_id as string;
    numbers.set(id, [...(numbers.get(id) ?? []), payload.sequence ?? 0]);
  }
  return numbers;
}

export async function sendEmails(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await program.send(`user${n}@inbox.test`));
  return ids;
}

export interface ReplayResponse {
  readonly replayed: number;
  readonly has_more: boolean;
  readonly next: string | null;
}

export async function replayAll(webhookId: string, filter: object = {}): Promise<ReplayResponse> {
  const answer = await program.request(`/webhooks/${webhookId}/events/replay`, {
    method: 'POST',
    body: JSON.stringify(filter),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as ReplayResponse;
}
