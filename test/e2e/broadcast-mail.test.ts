import { afterAll, beforeAll, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { Database } from '#postgres/database';
import { Retention } from '#postgres/retention';
import { BroadcastSteps } from '../support/builders/broadcast-steps.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { submissionApiKey } from '../support/programs/submission-program.js';
import { TrackingProgram, trackedDomain, trackedIn } from '../support/programs/tracking-program.js';
import { until } from '../support/runner/until.js';

const html =
  '<p>Hi</p><a href="https://acme.test/offer">Offer</a> <a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a>';
const reader = 'ann@sink.test';
const addresses = [reader, 'quiet@sink.test', 'bounced@resend.dev', 'complained@resend.dev'];
let tracking: TrackingProgram;
let database: Database;
let segmentId: string;

beforeAll(async () => {
  tracking = await TrackingProgram.start({ ...inOneProcess, RETENTION_DAYS: '5' });
  database = tracking.program.postrider.app.get(Database);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  segmentId = await new BroadcastSteps(database, team?.id ?? '').segment();
  for (const email of addresses) {
    await tracking.resend.contacts.create({ email });
    await tracking.resend.contacts.segments.add({ email, segmentId });
  }
});

afterAll(() => tracking.stop());

const get = async (path: string): Promise<ParsedJson> => (await tracking.program.get(path)) as ParsedJson;
const post = async (path: string, body: object): Promise<ParsedJson> => {
  const response = await fetch(`${tracking.program.postrider.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${submissionApiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as ParsedJson;
};
const progressOf = async (id: string): Promise<ParsedJson> => (await get(`/broadcasts/${id}/progress`)).counts;
const resultsOf = async (email: string): Promise<string[]> => {
  const { data } = await get(`/contacts/${encodeURIComponent(email)}/broadcasts`);
  return (data[0]?.results ?? []).map(({ type }: { type: string }) => type);
};

it('a scheduled broadcast comes to each contact at its own time of day', async () => {
  const { resend, clock } = tracking;
  await resend.contactProperties.create({ key: 'zone', type: 'string' });
  const segment = await resend.segments.create({ name: 'The world' });
  const world = segment.data?.id ?? '';
  const zones = {
    kiritimati: 'Pacific/Kiritimati',
    calcutta: 'Asia/Calcutta',
    nowhere: 'Middle/Earth',
    lima: 'America/Lima',
  };
  for (const [name, zone] of Object.entries(zones)) {
    const email = `${name}@sink.test`;
    await resend.contacts.create({ email, properties: { zone } });
    await resend.contacts.segments.add({ email, segmentId: world });
  }
  const at = new Date(clock.now().getTime() + 15 * 3_600_000);
  const created = await post('/broadcasts', {
    segment_id: world,
    from: `Acme <news@${trackedDomain}>`,
    subject: 'Good morning',
    html,
    send: true,
    scheduled_at: at.toISOString(),
    options: { local_time: { property: 'zone', time_zone: 'UTC' } },
  });
  const state = async (): Promise<string> => (await get(`/broadcasts/${created.id}`)).status;
  const recipients = async (): Promise<string> => {
    const { data } = await get(`/broadcasts/${created.id}/recipients?type=delivered`);
    return data
      .map(({ email }: { email: string }) => email.split('@')[0])
      .sort()
      .join();
  };
  expect([await state(), await recipients()]).toEqual(['scheduled', '']);
  // The clock of Kiritimati is 14 hours ahead of UTC, that of Calcutta 5:30 hours, and that of Lima 5 hours behind.
  for (const [hours, arrived] of [
    [1, 'kiritimati'],
    [8.5, 'calcutta,kiritimati'],
    [5.5, 'calcutta,kiritimati,nowhere'],
    [5, 'calcutta,kiritimati,lima,nowhere'],
  ] as const) {
    expect(await state()).not.toBe('sent');
    clock.advance(hours * 3_600_000 + 1_000);
    await until(async () => (await recipients()) === arrived);
  }
  await until(async () => (await state()) === 'sent');
});

it('mail of a broadcast is tracked, suppressed and counted like any other, and its statistics outlive it', async () => {
  const before = (await get('/usage')).emails;
  const { data } = await tracking.resend.broadcasts.create({
    segmentId,
    from: `Acme <news@${trackedDomain}>`,
    subject: 'Autumn',
    html,
    name: 'Autumn news',
    send: true,
  });
  const id = data?.id ?? '';
  await until(async () => (await get(`/broadcasts/${id}`)).status === 'sent');
  expect((await get('/usage')).emails.monthly.used).toBe(before.monthly.used + 4);

  const { content } = await tracking.arrived('Autumn', reader);
  const mime = await PostalMime.parse(content);
  const { pixels, links } = trackedIn(mime.html ?? '');
  await until(async () => (await progressOf(id)).delivered === 3);
  tracking.clock.advance(60_000);
  await tracking.visit(pixels[0] ?? '');
  expect((await tracking.visit(links[0] ?? '')).headers.location).toBe('https://acme.test/offer');
  const header = mime.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const link = /<(https?:[^>]+)>/.exec(header)?.[1] ?? '';
  const unsubscribed = await fetch(`${tracking.program.postrider.url}${new URL(link).pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(unsubscribed.status).toBe(200);

  const wanted = { accepted: 4, delivered: 3, bounced: 1, complained: 1, opened: 1, clicked: 1, unsubscribed: 1 };
  await until(async () => {
    const counts = await progressOf(id);
    return Object.entries(wanted).every(([name, count]) => counts[name] === count);
  });
  await until(async () => (await resultsOf(reader)).join() === 'sent,delivered,opened,clicked,unsubscribed');
  expect(await resultsOf('bounced@resend.dev')).toEqual(['sent', 'bounced']);
  expect(await resultsOf('quiet@sink.test')).toEqual(['sent', 'delivered']);
  const suppressed = (await get('/suppressions')).data.map(({ email }: { email: string }) => email);
  expect(suppressed).toEqual(expect.arrayContaining(['bounced@resend.dev', 'complained@resend.dev']));

  const asked = (kind: 'eq' | 'neq', value: string): object => ({
    type: 'rule',
    field: `contact.broadcasts.${id}`,
    operator: kind,
    value,
  });
  const filter = { type: 'and', rules: [asked('eq', 'delivered'), asked('neq', 'opened')] };
  const preview = await post('/segments/preview', { filter });
  expect(preview.sample.map(({ email }: { email: string }) => email).sort()).toEqual([
    'complained@resend.dev',
    'quiet@sink.test',
  ]);

  const exported = await post('/privacy/exports', { email: reader });
  expect(exported.broadcasts).toMatchObject([{ broadcast_id: id, email: reader }]);
  expect(exported.contact_activity).toHaveLength(1);

  // A second one leaves out who unsubscribed, complained or is suppressed. The suppression list does not apply to test
  // addresses.
  await tracking.resend.suppressions.add({ email: 'quiet@sink.test' });
  const again = await tracking.resend.broadcasts.create({
    segmentId,
    from: `Acme <news@${trackedDomain}>`,
    subject: 'Winter',
    html,
    send: true,
  });
  await until(async () => (await get(`/broadcasts/${again.data?.id}`)).status === 'sent');
  expect(await progressOf(again.data?.id ?? '')).toMatchObject({
    planned: 4,
    accepted: 1,
    skipped: 3,
    skipped_unsubscribed: 2,
    skipped_suppressed: 1,
  });
  await until(async () => (await progressOf(again.data?.id ?? '')).bounced === 1);

  const kept = await progressOf(id);
  const [recipients, clicked] = [`/broadcasts/${id}/recipients?type=opened`, `/broadcasts/${id}/clicked-links`];
  const known = [await get(recipients), await get(clicked), await resultsOf(reader)];
  tracking.clock.advance(40 * 86_400_000);
  await tracking.program.postrider.app.get(Retention, { strict: false }).run();
  expect(await database.query({ text: 'SELECT FROM emails' })).toEqual([]);
  expect(await progressOf(id)).toEqual(kept);
  expect([await get(recipients), await get(clicked), await resultsOf(reader)]).toEqual(known);
});
