import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { Clock } from '#kernel';
import { Database } from '#postgres/database';
import { clickAs, unsubscribeBy } from '../support/builders/acts-of-recipients.js';
import { broadcastHtml, BroadcastSteps } from '../support/builders/broadcast-steps.js';
import { TeamLimits } from '#rate-limit';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { until } from '../support/runner/until.js';

let program: TestProgram;
let database: Database;
let steps: BroadcastSteps;
const transport = new InMemoryDeliveryTransport();
const clock = new TestClock();

beforeAll(async () => {
  const adapters = new Adapters().use(DeliveryTransport, transport).use(Clock, clock);
  program = await startProgram(inOneProcess, adapters);
  database = program.postrider.app.get(Database);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  steps = new BroadcastSteps(database, team?.id ?? '');
  await steps.property('plan');
  await steps.property('zone');
});
afterAll(() => program.stop());

const mailTo = async (address: string): Promise<string> => {
  const message = await until(() => transport.delivered.find(({ recipients }) => recipients.includes(address)));
  return Buffer.from(message.content).toString();
};
const ended = (id: string, status = 'sent'): Promise<boolean> =>
  until(async () => (await steps.stateOf(id)).status === status);

it('everybody gets an email of their own, except who does not want it or cannot get it', async () => {
  const [segmentId, topicId] = [await steps.segment(), await steps.topic('opt_in')];
  const [ada = '', bob = '', cleo = '', dan = '', eve = ''] = await steps.contacts(segmentId, 6, 'a');
  await steps.setProperties(ada, { plan: 'pro' });
  await steps.unsubscribe([bob]);
  await steps.choose(cleo, topicId, 'opt_out');
  await steps.suppress(['a3@sink.test']);
  const id = await steps.start({ segmentId, topicId }, 'paused');
  await database.execute({ text: 'UPDATE contacts SET email = $2 WHERE id = $1', values: [eve, 'a4@example.com'] });
  await steps.setStatus(id, 'queued');
  await ended(id);
  expect(await steps.addressees(id)).toEqual(['a0@sink.test', 'a5@sink.test']);
  expect(await steps.progressOf(id)).toMatchObject({
    planned: 6,
    accepted: 2,
    skipped: 4,
    skipped_unsubscribed: 1,
    skipped_not_subscribed: 1,
    skipped_suppressed: 1,
    skipped_invalid: 1,
    skipped_deleted: 0,
  });
  const mime = await mailTo('a0@sink.test');
  expect(mime).toContain('Subject: News for Name0');
  expect(mime).toMatch(/^List-Unsubscribe: </m);
  expect(mime.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain('href="https://acme.test/pro"');
  expect(dan).not.toBe('');
  const [shared] = await database.query<{ contents: number }>({
    text: `SELECT count(DISTINCT content_id)::int AS contents FROM emails e JOIN broadcast_recipients r ON r.email_id = e.id
           WHERE r.broadcast_id = $1`,
    values: [id],
  });
  expect(shared?.contents).toBe(1);
  // The suppressed one has an email that went nowhere, and is counted when its event is read.
  await until(async () => (await steps.progressOf(id)).suppressed === 1);
  const results = await database.query({
    text: 'SELECT kind, count(*)::int AS count FROM broadcast_results WHERE broadcast_id = $1 GROUP BY 1 ORDER BY 1',
    values: [id],
  });
  expect(results).toEqual(
    expect.arrayContaining([
      { kind: 'sent', count: 2 },
      { kind: 'suppressed', count: 1 },
    ]),
  );
  const counters = await database.query({
    text: 'SELECT sum(sent)::int AS sent, sum(suppressed)::int AS suppressed FROM broadcast_counters WHERE broadcast_id = $1',
    values: [id],
  });
  expect(counters).toEqual([{ sent: 2, suppressed: 1 }]);
});

it('who unsubscribes by a link of it is counted once', async () => {
  const segmentId = await steps.segment();
  await steps.contacts(segmentId, 2, 'u');
  const id = await steps.start({ segmentId });
  await ended(id);
  await unsubscribeBy(program, await mailTo('u0@sink.test'));
  await unsubscribeBy(program, await mailTo('u0@sink.test'));
  expect((await steps.progressOf(id)).unsubscribed).toBe(1);
});

it('the audience of a filter is fixed when sending begins, and a deleted contact gets nothing', async () => {
  const segmentId = await steps.segment({
    type: 'rule',
    field: 'contact.email',
    operator: 'starts_with',
    value: 'fixed',
  });
  const [first = ''] = await steps.contacts(null, 600, 'fixed');
  const id = await steps.start({
    segmentId,
    options: { firstShare: { percent: 50, waitMinutes: null, maxBouncePercent: 100, maxComplaintPercent: 100 } },
  });
  await ended(id, 'paused');
  expect(await steps.stateOf(id)).toEqual({ status: 'paused', because: 'first_share_sent' });
  expect(await steps.progressOf(id)).toMatchObject({ planned: 600, accepted: 300 });
  await steps.contacts(null, 10, 'fixed-later');
  const waiting = await database.query<{ id: string }>({
    text: `DELETE FROM contacts WHERE id IN (SELECT contact_id FROM broadcast_audience WHERE broadcast_id = $1 AND wave = 1 LIMIT 7)
           RETURNING id`,
    values: [id],
  });
  expect(waiting).toHaveLength(7);
  await steps.setStatus(id, 'queued');
  await ended(id);
  expect(await steps.progressOf(id)).toMatchObject({ planned: 600, accepted: 593, skipped: 7, skipped_deleted: 7 });
  expect(new Set(await steps.addressees(id)).size).toBe(593);
  expect(first).not.toBe('');
});

it('an empty audience ends at once, and a segment that is gone pauses', async () => {
  const id = await steps.start({ segmentId: await steps.segment() });
  await ended(id);
  const gone = await steps.start({ segmentId: '01890000-0000-7000-8000-000000000000' });
  await ended(gone, 'paused');
  expect((await steps.stateOf(gone)).because).toBe('segment_deleted');
});

it('a canceled broadcast sends nothing more, and its audience is removed', async () => {
  const segmentId = await steps.segment();
  await steps.contacts(segmentId, 20, 'c');
  const id = await steps.start({
    segmentId,
    options: { localTime: { property: 'zone', timeZone: 'UTC' } },
    scheduledAt: new Date(clock.now().getTime() + 3_600_000),
  });
  await until(async () => (await steps.progressOf(id)).planned === 20);
  await steps.setStatus(id, 'canceled');
  const rows = async (): Promise<number> =>
    (await database.query({ text: 'SELECT FROM broadcast_audience WHERE broadcast_id = $1', values: [id] })).length;
  await until(async () => (await rows()) === 0);
  clock.advance(2 * 3_600_000);
  expect(await steps.addressees(id)).toEqual([]);
});

it('each zone gets it at its own time, and who has no known zone at that of the broadcast', async () => {
  const segmentId = await steps.segment();
  const [kiritimati = '', berlin = '', calcutta = '', odd = ''] = await steps.contacts(segmentId, 5, 'z');
  await steps.setProperties(kiritimati, { zone: 'Pacific/Kiritimati' });
  await steps.setProperties(berlin, { zone: 'europe/berlin ' });
  await steps.setProperties(calcutta, { zone: 'Asia/Calcutta' });
  await steps.setProperties(odd, { zone: 'Middle/Earth' });
  const at = new Date(clock.now().getTime() + 15 * 3_600_000);
  const id = await steps.start({
    segmentId,
    options: { localTime: { property: 'zone', timeZone: 'UTC' } },
    scheduledAt: at,
  });
  await until(async () => (await steps.progressOf(id)).planned === 5);
  const has = (...addresses: string[]): Promise<boolean> =>
    until(async () => JSON.stringify(await steps.addressees(id)) === JSON.stringify(addresses));
  expect(await steps.addressees(id)).toEqual([]);
  clock.advance(1 * 3_600_000 + 1_000);
  await has('z0@sink.test');
  clock.advance((14 - 5.5) * 3_600_000);
  await has('z0@sink.test', 'z2@sink.test');
  expect((await steps.stateOf(id)).status).toBe('queued');
  clock.advance(6 * 3_600_000);
  await has('z0@sink.test', 'z1@sink.test', 'z2@sink.test', 'z3@sink.test', 'z4@sink.test');
  await ended(id);
});

it('the subject that more people clicked goes to the rest, and machines do not count', async () => {
  const segmentId = await steps.segment();
  await steps.contacts(segmentId, 50, 't');
  const id = await steps.start({
    segmentId,
    subject: 'First',
    options: { test: { subjects: ['Second', 'Third'], sharePercent: 60, waitMinutes: 60, winner: 'clicks' } },
  });
  await until(async () => (await steps.progressOf(id)).accepted === 30);
  expect(await steps.subjects(id)).toEqual({ First: 10, Second: 10, Third: 10 });
  await until(async () => (await steps.progressOf(id)).delivered === 30);
  await clickAs(program, id, 'Third', 2, false);
  await clickAs(program, id, 'Second', 1, false);
  await clickAs(program, id, 'First', 5, true);
  await until(async () => (await steps.progressOf(id)).clicked === 3);
  clock.advance(61 * 60_000);
  await ended(id);
  expect(await steps.subjects(id)).toEqual({ First: 10, Second: 10, Third: 30 });
  const links = await database.query({
    text: 'SELECT url, clicks::int, unique_clicks::int FROM broadcast_links WHERE broadcast_id = $1',
    values: [id],
  });
  expect(links).toEqual([{ url: 'https://acme.test/none', clicks: 6, unique_clicks: 3 }]);
  await until(async () => (await steps.progressOf(id)).delivered === 50);
  const [third] = await database.query<{ email: string }>({
    text: `SELECT r.email FROM broadcast_recipients r JOIN emails e ON e.id = r.email_id
           WHERE r.broadcast_id = $1 AND e.subject = 'Third' LIMIT 1`,
    values: [id],
  });
  await unsubscribeBy(program, await mailTo(third?.email ?? ''));
  // The numbers stay when the emails are gone.
  await database.execute({
    text: 'DELETE FROM emails WHERE id IN (SELECT email_id FROM broadcast_recipients WHERE broadcast_id = $1)',
    values: [id],
  });
  const shown = (await (await program.request(`/broadcasts/${id}`)).json()) as { subject_results: object };
  const nothing = { bounced: 0, complained: 0, opened: 0, unsubscribed: 0 };
  expect(shown.subject_results).toEqual({
    subjects: [
      { ...nothing, subject: 'First', score: 0, sent: 10, delivered: 10, clicked: 0 },
      { ...nothing, subject: 'Second', score: 1, sent: 10, delivered: 10, clicked: 1 },
      { ...nothing, subject: 'Third', score: 2, sent: 30, delivered: 30, clicked: 2, unsubscribed: 1 },
    ],
    winner: { index: 2, subject: 'Third', chosen_by: 'clicks', chosen_at: expect.any(String) },
  });
});

it('a first share with too many bounces stops the rest', async () => {
  const segmentId = await steps.segment();
  await steps.contacts(segmentId, 20, 'b');
  for (let no = 0; no < 20; no += 2) {
    transport.outcomeFor(`b${no}@sink.test`, InMemoryDeliveryTransport.bounced('5.1.1 nobody'));
  }
  const id = await steps.start({
    segmentId,
    options: { firstShare: { contacts: 10, waitMinutes: 1, maxBouncePercent: 5, maxComplaintPercent: 1 } },
  });
  await ended(id, 'paused');
  expect((await steps.stateOf(id)).because).toBe('too_many_bounces');
  const { accepted, bounced } = await steps.progressOf(id);
  expect(accepted).toBe(10);
  expect(bounced).toBeGreaterThan(0);
  const rows = await database.query({
    text: `SELECT DISTINCT bounce_type FROM broadcast_results WHERE broadcast_id = $1 AND kind = 'bounced'`,
    values: [id],
  });
  expect(rows).toEqual([{ bounce_type: 'permanent' }]);
  // Whoever resumes it has decided.
  await steps.setStatus(id, 'queued');
  await until(async () => {
    const [run] = await database.query({
      text: 'SELECT FROM broadcast_runs WHERE broadcast_id = $1 AND decide_at IS NOT NULL',
      values: [id],
    });
    return run !== undefined;
  });
  clock.advance(61_000);
  await ended(id);
  expect(await steps.addressees(id)).toHaveLength(20);
});

it('a domain that may not send any more pauses it, and it goes on once the domain may', async () => {
  const segmentId = await steps.segment();
  await steps.contacts(segmentId, 3, 'd');
  const id = await steps.start({ segmentId, from: 'Acme <hello@nowhere.test>', html: broadcastHtml });
  await ended(id, 'paused');
  expect((await steps.stateOf(id)).because).toBe('domain_not_verified');
  await database.execute({
    text: `UPDATE broadcasts SET "from" = 'Acme <hello@sandbox.postrider.test>' WHERE id = $1`,
    values: [id],
  });
  clock.advance(31 * 60_000);
  await ended(id);
  expect(await steps.addressees(id)).toHaveLength(3);
});

it('what remains of a quota is used up, and the rest follows on the next day', async () => {
  const segmentId = await steps.segment();
  await steps.contacts(segmentId, 40, 'q');
  // A day on which nothing was sent yet.
  clock.advance(24 * 3_600_000);
  const limits = program.postrider.app.get(TeamLimits, { strict: false });
  await limits.change(steps.teamId, { dailyQuota: 25 });
  const id = await steps.start({ segmentId });
  await ended(id, 'paused');
  expect((await steps.stateOf(id)).because).toBe('daily_quota_exceeded');
  expect(await steps.addressees(id)).toHaveLength(25);
  clock.advance(24 * 3_600_000);
  await ended(id);
  expect(new Set(await steps.addressees(id)).size).toBe(40);
  await limits.change(steps.teamId, { dailyQuota: 0 });
});
