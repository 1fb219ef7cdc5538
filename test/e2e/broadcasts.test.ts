import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Clock, newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { StartBroadcasts } from '../../libs/broadcasts/src/application/send-broadcasts.use-case.js';
import { recordClicks } from '../support/builders/broadcast-clicks.js';
import { BroadcastSteps } from '../support/builders/broadcast-steps.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { until } from '../support/runner/until.js';

const transport = new InMemoryDeliveryTransport();
const clock = new TestClock();
let program: TestProgram;
let resend: Resend;
let steps: BroadcastSteps;
let segmentId: string;

beforeAll(async () => {
  const adapters = new Adapters().use(DeliveryTransport, transport).use(Clock, clock);
  program = await startProgram(inOneProcess, adapters);
  resend = program.resend;
  const database = program.postrider.app.get(Database);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  steps = new BroadcastSteps(database, team?.id ?? '');
  await steps.property('plan');
  segmentId = await steps.segment();
  await steps.contacts(segmentId, 3);
});

afterAll(() => program.stop());

const html = '<p>Hi {{{FIRST_NAME|there}}}</p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a>';
const news = { from: testSender, subject: 'News for {{{FIRST_NAME|you}}}', html };

async function created(fields: object = {}): Promise<string> {
  const { data, error } = await resend.broadcasts.create({ ...news, segmentId, ...fields });
  expect(error).toBeNull();
  return data?.id as string;
}

async function call(path: string, body?: unknown, method = 'POST'): Promise<{ status: number; json: ParsedJson }> {
  const response = await program.request(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as ParsedJson };
}

const refusal = async (path: string, body?: unknown, method?: string): Promise<unknown[]> => {
  const { status, json } = await call(path, body, method);
  return [status, json.name, json.message];
};

const statusOf = async (id: string): Promise<string> => (await call(`/broadcasts/${id}`, undefined, 'GET')).json.state;
const ended = (id: string): Promise<boolean> => until(async () => (await statusOf(id)) === 'sent');
const progressOf = async (id: string): Promise<ParsedJson> =>
  (await call(`/broadcasts/${id}/progress`, undefined, 'GET')).json;
const delivered = (address: string, subject: string): Promise<string> =>
  until(() => {
    const found = transport.delivered.find(
      (message) => message.recipients.includes(address) && Buffer.from(message.content).includes(subject),
    );
    return found === undefined ? undefined : Buffer.from(found.content).toString();
  });

describe('every method of the client', () => {
  it('creates, reads, lists, changes, duplicates and removes', async () => {
    const topicId = await steps.topic('opt_in');
    const id = await created({ name: 'November', topicId, previewText: 'What is new', replyTo: 'help@acme.test' });
    expect((await resend.broadcasts.get(id)).data).toMatchObject({
      object: 'broadcast',
      id,
      name: 'November',
      segment_id: segmentId,
      audience_id: segmentId,
      topic_id: topicId,
      status: 'draft',
      preview_text: 'What is new',
      reply_to: ['help@acme.test'],
      html,
      text: null,
      scheduled_at: null,
      sent_at: null,
      from: testSender,
    });
    expect((await resend.broadcasts.update(id, { subject: 'Changed', topicId: null })).data).toMatchObject({ id });
    expect((await resend.broadcasts.get(id)).data).toMatchObject({ subject: 'Changed', topic_id: null, html });
    const copy = (await resend.broadcasts.duplicate(id)).data?.id as string;
    expect((await resend.broadcasts.get(copy)).data).toMatchObject({
      name: 'November (copy)',
      status: 'draft',
      subject: 'Changed',
    });
    const first = await resend.broadcasts.list({ limit: 1 });
    expect(first.data).toMatchObject({ object: 'list', has_more: true, data: [{ id: copy }] });
    expect((await resend.broadcasts.list({ limit: 1, after: copy })).data?.data[0]?.id).toBe(id);
    expect((await resend.broadcasts.list()).data?.data.map((one) => one.id)).toEqual([copy, id]);
    expect((await resend.broadcasts.remove(copy)).data).toEqual({ object: 'broadcast', id: copy, deleted: true });
    expect((await resend.broadcasts.remove(id)).data).toMatchObject({ deleted: true });
    expect((await resend.broadcasts.get(id)).error).toMatchObject({ statusCode: 404, message: 'Broadcast not found' });
  });

  it('sends, and shows what became of it', async () => {
    const sentNow = await resend.broadcasts.create({ ...news, audienceId: segmentId, send: true, previewText: 'New!' });
    const id = sentNow.data?.id as string;
    await ended(id);
    const mime = await delivered('user0@sink.test', 'News for Name0');
    expect(mime).toMatch(/^List-Unsubscribe: </m);
    expect(mime.replaceAll('=\r\n', '')).toContain('New!');
    await until(async () => (await progressOf(id)).counts.delivered === 3);
    expect(await progressOf(id)).toMatchObject({
      object: 'broadcast_progress',
      status: 'sent',
      paused_because: null,
      counts: { planned: 3, accepted: 3, skipped: 0, sent: 3 },
    });
    await recordClicks(program.postrider.app, id, 'user1@sink.test', 'https://acme.test/a', 2);
    await recordClicks(program.postrider.app, id, 'user1@sink.test', 'https://acme.test/b', 1);
    await recordClicks(program.postrider.app, id, 'user2@sink.test', 'https://acme.test/b', 1);
    await until(async () => (await progressOf(id)).counts.clicked === 2);
    const all = await resend.broadcasts.recipients(id, { type: 'sent' });
    expect(all.data?.data.map(({ email }) => email)).toEqual(['user2@sink.test', 'user1@sink.test', 'user0@sink.test']);
    const [first] = (await resend.broadcasts.recipients(id, { type: 'delivered', limit: 1 })).data?.data ?? [];
    const next = await resend.broadcasts.recipients(id, { type: 'delivered', limit: 1, after: first?.id ?? '' });
    expect(next.data).toMatchObject({ has_more: true, data: [{ email: 'user1@sink.test' }] });
    const before = await resend.broadcasts.recipients(id, { type: 'delivered', before: next.data?.data[0]?.id ?? '' });
    expect(before.data).toMatchObject({ has_more: false, data: [{ email: 'user2@sink.test' }] });
    const who = await resend.broadcasts.recipients(id, { type: 'clicked', email: 'User1@sink.test' });
    expect(who.data?.data).toMatchObject([
      {
        email: 'user1@sink.test',
        count: 3,
        clicked_links: [
          { url: 'https://acme.test/a', clicks: 2 },
          { url: 'https://acme.test/b', clicks: 1 },
        ],
      },
    ]);
    const part = await resend.broadcasts.recipients(id, { type: 'sent', email: 'SER1@' });
    expect(part.data).toMatchObject({ has_more: false, next: null, data: [{ email: 'user1@sink.test' }] });
    const two = await resend.broadcasts.recipients(id, { type: 'sent', email: '@sink', limit: 2 });
    const third = await resend.broadcasts.recipients(id, {
      type: 'sent',
      email: '@sink',
      after: two.data?.data[1]?.id ?? '',
    });
    expect([two.data?.has_more, third.data?.has_more, third.data?.data[0]?.email]).toEqual([
      true,
      false,
      'user0@sink.test',
    ]);
    const back = await resend.broadcasts.recipients(id, {
      type: 'sent',
      email: '@sink',
      before: two.data?.data[1]?.id ?? '',
    });
    expect(back.data).toMatchObject({ has_more: false, data: [{ email: 'user2@sink.test' }] });
    expect((await resend.broadcasts.recipients(id, { type: 'sent', email: 'nobody' })).data?.data).toEqual([]);
    expect((await resend.broadcasts.recipients(id, { type: 'bounced', bounceType: 'permanent' })).data?.data).toEqual(
      [],
    );
    const links = await resend.broadcasts.clickedLinks(id, { limit: 1 });
    const [link] = links.data?.data ?? [];
    const rest = await resend.broadcasts.clickedLinks(id, { after: link?.id ?? '' });
    const shown = [...(links.data?.data ?? []), ...(rest.data?.data ?? [])];
    expect(shown.map(({ url, clicks, unique_clicks }) => [url, clicks, unique_clicks]).sort()).toEqual([
      ['https://acme.test/a', 2, 1],
      ['https://acme.test/b', 2, 2],
    ]);
    expect((await resend.broadcasts.update(id, { name: 'Afterwards' })).error).toBeNull();
    const read = async (path: string): Promise<ParsedJson> => (await call(path, undefined, 'GET')).json;
    const named = { metrics: ['sent', 'delivered', 'delivery_rate'], totals: { sent: 3 } };
    const parameters = `broadcast_id=${id}&dimensions=broadcast&metrics=sent,delivered,delivery_rate`;
    expect(await read(`/broadcasts/metrics?${parameters}`)).toMatchObject({
      object: 'metrics',
      ...named,
      data: [{ id, name: 'Afterwards', sent: 3, delivered: 3, delivery_rate: 100 }],
    });
    expect(await read(`/emails/metrics?${parameters}`)).toMatchObject({
      ...named,
      data: [{ broadcast_id: id, broadcast_name: 'Afterwards', sent: 3 }],
    });
    expect((await read(`/broadcasts/metrics?broadcast_id=${newId()}`)).totals.sent).toBe(0);
    expect((await read('/usage')).broadcasts).toEqual({
      used: (await resend.broadcasts.list()).data?.data.length,
      limit: null,
    });
    expect((await resend.broadcasts.update(id, { subject: 'x' })).error).toMatchObject({ statusCode: 403 });
    expect((await resend.broadcasts.cancel(id)).error).toMatchObject({ statusCode: 403, name: 'validation_error' });
    expect((await resend.broadcasts.remove(id)).error).toMatchObject({ statusCode: 403 });
    expect((await resend.broadcasts.send(id)).error).toMatchObject({ statusCode: 403 });
  });

  it('schedules in words, changes what is scheduled, and cancels', async () => {
    const id = await created();
    expect((await resend.broadcasts.send(id, { scheduledAt: 'in 2 hours' })).data).toEqual({ object: 'broadcast', id });
    expect((await resend.broadcasts.get(id)).data).toMatchObject({ status: 'scheduled', sent_at: null });
    expect((await resend.broadcasts.update(id, { subject: 'Later' })).error).toBeNull();
    expect((await resend.broadcasts.cancel(id)).data).toEqual({ object: 'broadcast', id });
    expect((await resend.broadcasts.get(id)).data).toMatchObject({ status: 'draft', scheduled_at: null, html });
    const at = new Date(clock.now().getTime() + 60_000).toISOString();
    await resend.broadcasts.send(id, { scheduledAt: at });
    const gone = await created({ subject: 'Never', send: true, scheduledAt: at });
    await resend.broadcasts.remove(gone);
    clock.advance(61_000);
    await program.postrider.app.get(StartBroadcasts, { strict: false }).startDue();
    await ended(id);
    expect(await delivered('user2@sink.test', 'Subject: Later')).toContain('Name2');
    expect(transport.delivered.some(({ content }) => Buffer.from(content).includes('Subject: Never'))).toBe(false);
  });
});

describe('a broadcast that would fail is refused before it starts', () => {
  const refused = async (fields: object): Promise<unknown> =>
    (await refusal('/broadcasts', { ...news, segment_id: segmentId, send: true, ...fields }))[2];

  it('with a reason that names the thing', async () => {
    const count = async (): Promise<number> => (await resend.broadcasts.list()).data?.data.length ?? 0;
    const before = await count();
    const nobody = newId();
    expect(await refused({ segment_id: nobody })).toBe(`The segment \`${nobody}\` does not exist.`);
    expect(await refused({ topic_id: nobody })).toBe(`The topic \`${nobody}\` does not exist.`);
    expect(await refused({ from: 'a@nobody.test' })).toContain('nobody.test');
    expect(await refused({ html: undefined })).toBe('Missing `html` or `text` field.');
    expect(await refused({ subject: '{{{CITY}}} {{{plan}}} {{{FIRST_NAME}}} {{{x|y}}}' })).toContain(
      '`CITY`, `plan` may have no value',
    );
    expect(await refused({ scheduled_at: 'whenever' })).toContain('scheduled_at');
    expect(await refused({ scheduled_at: 'tomorrow at 9am Bergen' })).toContain('but not `Bergen`');
    expect(await refused({ scheduled_at: 'in 3 months' })).toContain('30 days');
    expect(await refused({ send: false, scheduled_at: 'in 1 hour' })).toContain('only be used with `send: true`');
    expect(await refused({ html: 'x'.repeat(1_100_000) })).toContain('more than');
    expect(await refused({ options: { first_share: { percent: 5 }, local_time: { property: 'plan' } } })).toContain(
      'Only one of',
    );
    expect(await count()).toBe(before);
  });

  it('and recipients are asked for by known kinds', async () => {
    const id = await created();
    expect(await refusal(`/broadcasts/${id}/recipients`, undefined, 'GET')).toEqual([
      422,
      'missing_required_field',
      'Missing `type` field.',
    ]);
    for (const query of [
      'type=x',
      'type=sent&bounce_type=permanent',
      `type=sent&email=${'x'.repeat(400)}`,
      'type=sent&after=x',
    ]) {
      expect((await refusal(`/broadcasts/${id}/recipients?${query}`, undefined, 'GET'))[0]).toBe(422);
    }
    expect((await refusal('/broadcasts/x', undefined, 'GET'))[0]).toBe(422);
  });
});

it('a broadcast is previewed and tried out before it is sent', async () => {
  const id = await created({ previewText: 'For {{{FIRST_NAME|you}}}', html: `${html}{{{plan|none}}}` });
  const [contact] = await steps.contacts(null, 1, 'pia');
  await steps.setProperties(contact ?? '', { plan: 'pro' });
  const { json } = await call(`/broadcasts/${id}/preview`, { email: 'PIA0@sink.test' });
  expect(json).toMatchObject({
    object: 'broadcast_preview',
    contact_id: contact,
    subject: 'News for Name0',
    text: null,
  });
  expect(json.html).toContain('Hi Name0');
  expect(json.html).toContain('For Name0');
  expect(json.html).toContain('href="{{{RESEND_UNSUBSCRIBE_URL}}}"');
  expect((await call(`/broadcasts/${id}/preview`)).json).toMatchObject({ email: 'user2@sink.test' });
  expect(await refusal(`/broadcasts/${id}/preview`, { contact_id: newId() })).toEqual([
    404,
    'not_found',
    'Contact not found',
  ]);
  const test = await call(`/broadcasts/${id}/test`, { to: ['pia0@sink.test', 'Other <o@sink.test>', 'o@sink.test'] });
  expect(test.json.data).toHaveLength(2);
  expect(await delivered('pia0@sink.test', '[Test] News for Name0')).toContain('pro');
  expect(await delivered('o@sink.test', '[Test] News for you')).toContain('none');
  expect(
    (await refusal(`/broadcasts/${id}/test`, { to: Array.from({ length: 11 }, (_, n) => `${n}@x.test`) }))[0],
  ).toBe(422);
  expect(await progressOf(id)).toMatchObject({ status: 'draft', counts: { planned: 0 } });
});

it('pausing and resuming need a broadcast that is being sent', async () => {
  const id = await steps.start({ segmentId }, 'queued');
  const { status } = await call(`/broadcasts/${id}/pause`);
  if (status === 200) {
    expect(await statusOf(id)).toBe('paused');
    expect((await call(`/broadcasts/${id}/resume`)).status).toBe(200);
  }
  await ended(id);
  expect((await refusal(`/broadcasts/${id}/pause`))[0]).toBe(403);
  expect((await refusal(`/broadcasts/${id}/resume`))[0]).toBe(403);
});
