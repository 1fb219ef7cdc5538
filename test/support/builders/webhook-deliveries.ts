import { expect } from '@jest/globals';
import { ProcessNotifications, Database } from '#postgres/database';
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
  receiver = await WebhookReceiver.listen();
}

export async function stopDeliveries(): Promise<void> {
  // First, so that the program has no calls to wait for.
  await receiver.close();
  await program.stop();
}

export const database = (): Database => program.postrider.app.get(Database);

/** Moves the clock, and has looked at once for what has come due. */
export async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await program.postrider.app.get(ProcessNotifications).send('webhook-work', '');
}

export async function statuses(): Promise<string[]> {
  const rows = await database().query<{ status: string }>({ text: 'SELECT status FROM webhook_messages ORDER BY id' });
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
