import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { TeamLimits } from '#rate-limit';
import { broadcastHtml, BroadcastSteps } from '../support/builders/broadcast-steps.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { until } from '../support/runner/until.js';

let program: TestProgram;
let database: Database;
let steps: BroadcastSteps;
const clock = new TestClock();

beforeAll(async () => {
  const adapters = new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()).use(Clock, clock);
  program = await startProgram(inOneProcess, adapters);
  database = program.postrider.app.get(Database);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  steps = new BroadcastSteps(database, team?.id ?? '');
  await steps.property('plan');
});
afterAll(() => program.stop());

const ended = (id: string, status = 'sent'): Promise<boolean> =>
  until(async () => (await steps.stateOf(id)).status === status);
const resume = async (id: string): Promise<number> =>
  (await program.request(`/broadcasts/${id}/resume`, { method: 'POST' })).status;
const shownReason = async (id: string): Promise<ParsedJson> =>
  ((await (await program.request(`/broadcasts/${id}/progress`)).json()) as ParsedJson).paused_because;

it('a broadcast that is resumed goes on at once, though it would have resumed itself later', async () => {
  const segmentId = await steps.segment();
  await steps.contacts(segmentId, 40, 'q');
  const limits = program.postrider.app.get(TeamLimits, { strict: false });
  await limits.change(steps.teamId, { dailyQuota: 25 });
  const id = await steps.start({ segmentId });
  await ended(id, 'paused');
  expect(await shownReason(id)).toBe('daily_quota_exceeded');
  await limits.change(steps.teamId, { dailyQuota: 0 });
  expect(await resume(id)).toBe(200);
  await ended(id);
  expect(new Set(await steps.addressees(id)).size).toBe(40);
});

it('a broadcast whose segment is gone says so, though nothing of it was planned', async () => {
  const id = await steps.start({ segmentId: '01890000-0000-7000-8000-000000000000' });
  await ended(id, 'paused');
  expect(await shownReason(id)).toBe('segment_deleted');
});

it('the rest of a first share is not sent where PostgreSQL fails between its statements', async () => {
  const segmentId = await steps.segment();
  await steps.contacts(segmentId, 20, 'f');
  // Every statement that would pause the broadcast fails.
  await database.execute({
    text: `CREATE FUNCTION refuse_pauses() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'terminating connection' USING ERRCODE = '57P01'; END $$`,
  });
  await database.execute({
    text: `CREATE TRIGGER refuse_pauses BEFORE UPDATE ON broadcasts FOR EACH ROW WHEN (NEW.status = 'paused')
           EXECUTE FUNCTION refuse_pauses()`,
  });
  const id = await steps.start({
    segmentId,
    options: { firstShare: { contacts: 5, waitMinutes: null, maxBouncePercent: 100, maxComplaintPercent: 100 } },
  });
  await until(async () => (await steps.progressOf(id)).accepted === 5);
  // The next steps fail in the same place, and another broadcast shows that they were made.
  for (let no = 0; no < 3; no++) await ended(await steps.start({ segmentId: await steps.segment() }));
  await database.execute({ text: 'DROP TRIGGER refuse_pauses ON broadcasts' });
  await ended(id, 'paused');
  expect(await steps.addressees(id)).toHaveLength(5);
  expect(await resume(id)).toBe(200);
  await ended(id);
  expect(await steps.addressees(id)).toHaveLength(20);
});

it('a broadcast whose API key was deleted is not sent until somebody else resumes it', async () => {
  const segmentId = await steps.segment();
  await steps.contacts(segmentId, 3, 'k');
  const key = (await program.resend.apiKeys.create({ name: 'Short-lived' })).data;
  const client = new Resend(key?.token ?? '', { baseUrl: program.url });
  const fields = { segmentId, from: testSender, subject: 'Later', html: broadcastHtml };
  const id = (await client.broadcasts.create(fields)).data?.id ?? '';
  const scheduledAt = new Date(clock.now().getTime() + 600_000).toISOString();
  expect((await client.broadcasts.send(id, { scheduledAt })).error).toBeNull();
  const running = (await client.broadcasts.create(fields)).data?.id ?? '';
  await program.request(`/broadcasts/${running}`, {
    method: 'PATCH',
    body: JSON.stringify({ options: { throttle_per_hour: 1 } }),
  });
  expect((await client.broadcasts.send(running)).error).toBeNull();
  await until(async () => (await steps.progressOf(running)).accepted === 1);

  expect((await program.resend.apiKeys.remove(key?.id ?? '')).error).toBeNull();
  clock.advance(600_000);
  await ended(id, 'paused');
  await ended(running, 'paused');
  expect([await shownReason(id), await shownReason(running)]).toEqual(['api_key_deleted', 'api_key_deleted']);
  expect([await steps.addressees(id), (await steps.addressees(running)).length]).toEqual([[], 1]);

  expect(await resume(id)).toBe(200);
  await ended(id);
  expect(await steps.addressees(id)).toHaveLength(3);
  const [sender] = await database.query<{ keys: string[] }>({
    text: `SELECT array_agg(DISTINCT k.name) AS keys FROM broadcast_recipients r JOIN emails e ON e.id = r.email_id
           JOIN api_keys k ON k.id = e.api_key_id WHERE r.broadcast_id = $1`,
    values: [id],
  });
  expect(sender?.keys).toHaveLength(1);
});
