import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';
import { testSender } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';
import { ReceivedCall, signatureOf, WebhookReceiver } from '../support/servers/webhook-receiver.js';

const eventTypes = ['contact.created', 'contact.updated', 'contact.deleted', 'contact.topics.updated'];
const topicTypes = ['topic.created', 'topic.updated', 'topic.deleted'];

let program: RecordingProgram;
let resend: Resend;
let receiver: WebhookReceiver;
let secret: string;

beforeAll(async () => {
  receiver = await WebhookReceiver.listen();
  program = await startRecordingProgram({
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    PUBLIC_URL: 'https://mail.acme.test',
  });
  resend = program.resend;
  const { data } = await resend.webhooks.create({
    endpoint: receiver.url,
    events: [...eventTypes, ...topicTypes] as never,
  });
  secret = data?.signing_secret as string;
});

afterAll(async () => {
  await program.stop();
  await receiver.close();
});

async function call(method: string, path: string, body?: unknown): Promise<ParsedJson> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  return (await program.request(path, init)).json() as Promise<ParsedJson>;
}

/** The calls that the endpoint took about one thing, in order. Resolves once there are this many. */
async function callsAbout(id: string, count: number): Promise<ReceivedCall[]> {
  return until(() => {
    const calls = receiver.accepted.filter(({ payload }) => payload.data.id === id);
    return calls.length >= count && calls.sort((a, b) => (a.payload.created_at < b.payload.created_at ? -1 : 1));
  });
}

const totals = async (query = ''): Promise<ParsedJson> =>
  await call('GET', `/emails/metrics?metrics=unsubscribed,unsubscribe_rate,delivered&${query}`);

describe('webhooks of the audience', () => {
  it('come signed, once for each change, with the old values', async () => {
    const { data: segment } = await resend.segments.create({ name: 'VIP' });
    await resend.contactProperties.create({ key: 'plan', type: 'string' });
    const { data } = await resend.contacts.create({ email: 'Ada@hooks.test', firstName: 'Ada' });
    const id = data?.id as string;
    await callsAbout(id, 1);
    await resend.contacts.update({ id, firstName: 'Augusta', properties: { plan: 'pro' } });
    await resend.contacts.update({ id, firstName: 'Augusta', properties: { plan: 'pro' } });
    await callsAbout(id, 2);
    await resend.contacts.segments.add({ contactId: id, segmentId: segment?.id as string });
    await callsAbout(id, 3);
    await resend.contacts.remove({ id });
    const calls = await callsAbout(id, 4);
    for (const one of calls) {
      expect(one.signature.split(' ')).toContain(signatureOf(one, secret));
      const headers = { id: one.id, timestamp: one.timestamp, signature: one.signature };
      expect(resend.webhooks.verify({ payload: one.body, headers, webhookSecret: secret })).toEqual(one.payload);
    }
    const common = { id, email: 'ada@hooks.test', unsubscribed: false };
    expect(calls.map(({ payload }) => [payload.type, payload.data])).toMatchObject([
      ['contact.created', { ...common, first_name: 'Ada', segment_ids: [], audience_id: null }],
      [
        'contact.updated',
        { ...common, first_name: 'Augusta', previous_attributes: { first_name: 'Ada', properties: { plan: null } } },
      ],
      ['contact.updated', { ...common, segment_ids: [segment?.id], previous_attributes: { segment_ids: [] } }],
      ['contact.deleted', common],
    ]);
    expect(new Set(calls.map((one) => one.id)).size).toBe(4);
    expect(calls[0]?.payload.data).not.toHaveProperty('previous_attributes');
  });

  it('tell of topics, and of what contacts choose', async () => {
    const { data: topic } = await resend.topics.create({ name: 'News', defaultSubscription: 'opt_in' });
    const topicId = topic?.id as string;
    const { data } = await resend.contacts.create({ email: 'eve@hooks.test' });
    const id = data?.id as string;
    for (const subscription of ['opt_out', 'opt_out', 'opt_in'] as const) {
      await resend.contacts.topics.update({ id, topics: [{ id: topicId, subscription }] });
    }
    const choices = (await callsAbout(id, 3)).filter(({ payload }) => payload.type === 'contact.topics.updated');
    expect(choices.map(({ payload }) => payload.data)).toEqual(
      [
        { now: 'opt_out', before: null },
        { now: 'opt_in', before: 'opt_out' },
      ].map(({ now, before }) => ({
        id,
        email: 'eve@hooks.test',
        topics: [{ id: topicId, subscription: now }],
        previous_attributes: { topics: [{ id: topicId, subscription: before }] },
      })),
    );
    await resend.topics.update({ id: topicId, name: 'Good news' });
    await resend.topics.update({ id: topicId, name: 'Good news' });
    await callsAbout(topicId, 2);
    await resend.topics.remove(topicId);
    const calls = await callsAbout(topicId, 3);
    expect(calls.map(({ payload }) => payload.type)).toEqual(topicTypes);
    expect(calls[1]?.payload.data).toMatchObject({ name: 'Good news', previous_attributes: { name: 'News' } });
    expect(calls.map(({ payload }) => payload.data.deleted)).toEqual([false, false, true]);
  });
});

describe('who unsubscribes', () => {
  /** Sends an email of the topic and resolves to the path of its link. */
  async function linkIn(to: string, topicId: string): Promise<{ id: string; path: string }> {
    const { data, error } = await resend.emails.send({ from: testSender, to, topicId, subject: 'Hi', text: 'Hello' });
    expect(error).toBeNull();
    const id = data?.id as string;
    const { content } = await until(() => program.transport.delivered.find(({ emailId }) => emailId === id));
    // The link in the field may be folded, and the one in the body may have soft line breaks.
    const text = Buffer.from(content)
      .toString()
      .replace(/=?\r\n\s?/g, '');
    const [, path = ''] = /https:\/\/mail\.acme\.test(\/unsubscribe\/[\w-]+)/.exec(text) ?? [];
    return { id, path };
  }

  const post = (path: string, fields: Record<string, string>): Promise<Response> =>
    fetch(`${program.url}${path}`, { method: 'POST', body: new URLSearchParams(fields) });

  it('is counted once: by the link, by one-click and by the API, for all mail and for a topic', async () => {
    const before = (await totals()).totals.unsubscribed as number;
    const { data: topic } = await resend.topics.create({ name: 'Offers', defaultSubscription: 'opt_in' });
    const topicId = topic?.id as string;
    const byClick = await linkIn('click@hooks.test', topicId);
    const byLink = await linkIn('link@hooks.test', topicId);
    for (let n = 0; n < 2; n++) {
      expect((await post(byClick.path, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);
      expect((await post(byLink.path, { action: 'all' })).status).toBe(200);
    }
    const { data } = await resend.contacts.create({ email: 'api@hooks.test' });
    const id = data?.id as string;
    await resend.contacts.topics.update({ id, topics: [{ id: topicId, subscription: 'opt_out' }] });
    for (const unsubscribed of [true, true]) await resend.contacts.update({ id, unsubscribed });
    await resend.contacts.create({ email: 'added@hooks.test', unsubscribed: true });
    expect((await totals()).totals.unsubscribed).toBe(before + 4);
    for (const email of [byClick, byLink]) {
      await until(async () => (await totals(`email_id=${email.id}`)).totals.delivered === 1);
      expect((await totals(`email_id=${email.id}&dimensions=email`)) as object).toMatchObject({
        totals: { unsubscribed: 1, unsubscribe_rate: 100 },
        data: [{ email_id: email.id, unsubscribed: 1 }],
      });
    }
    const byDomain = (await totals('dimensions=domain')).data as ParsedJson[];
    expect(byDomain.map(({ domain_name, unsubscribed }) => [domain_name, unsubscribed])).toEqual(
      expect.arrayContaining([
        ['sandbox.postrider.test', 2],
        [undefined, before + 2],
      ]),
    );
  });
});

describe('a template', () => {
  it('has the values of the contact to whom it is sent, also in batches', async () => {
    await resend.contactProperties.create({ key: 'company', type: 'string', fallbackValue: 'your company' });
    await resend.contacts.create({ email: 'tom@hooks.test', firstName: 'Tom <b>', properties: { company: 'Acme' } });
    const template = await resend.templates
      .create({
        name: 'Welcome',
        subject: 'Hi {{{FIRST_NAME|there}}}',
        html: '<p>{{{FIRST_NAME|there}}}, {{{EMAIL}}}, {{{contact.company}}}, {{{contact.nothing|x}}}, {{{CODE}}}</p>',
        variables: [{ key: 'CODE', type: 'string', fallbackValue: '<i>' }],
      })
      .publish();
    const id = template.data?.id as string;
    const entry = (to: string) => ({ from: testSender, to, template: { id } });
    const { data } = await resend.batch.send([entry('Tom <Tom@hooks.test>'), entry('new@hooks.test')]);
    const shown = await Promise.all((data?.data ?? []).map((one) => call('GET', `/emails/${one.id}`)));
    expect(shown.map(({ subject, html }) => [subject, html])).toEqual([
      ['Hi Tom <b>', '<p>Tom &#60;b&#62;, Tom@hooks.test, Acme, x, <i></p>'],
      ['Hi there', '<p>there, new@hooks.test, your company, x, <i></p>'],
    ]);
  });
});
