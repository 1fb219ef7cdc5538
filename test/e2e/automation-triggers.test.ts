import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { AutomationSteps } from '../support/builders/automation-steps.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { until } from '../support/runner/until.js';

const clock = new TestClock();
const dayMs = 86_400_000;
let program: TestProgram;
let automations: AutomationSteps;
let template: string;

beforeAll(async () => {
  const adapters = new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()).use(Clock, clock);
  program = await startProgram({}, adapters);
  automations = new AutomationSteps(program.resend);
  template = await automations.template();
});

afterAll(() => program.stop());

const query = <Row>(text: string, values: unknown[] = []) =>
  program.postrider.app.get(Database).query<Row & Record<string, unknown>>({ text, values });

const post = (path: string, body: object): Promise<Response> =>
  program.request(path, { method: 'POST', body: JSON.stringify(body) });

async function create(path: string, body: object): Promise<string> {
  const response = await post(path, body);
  const { id } = (await response.json()) as ParsedJson;
  expect([response.status, typeof id]).toEqual([201, 'string']);
  return id as string;
}

/** An automation that begins with any of these, and does nothing else. */
const enabled = (...triggers: readonly object[]): Promise<string> => {
  const steps = triggers.map((config, no) => ({ key: `trigger ${no}`, type: 'trigger', config }));
  return create('/automations', { name: 'Test', status: 'enabled', steps, connections: [] });
};

/** The contacts of the runs of an automation, once there are as many. */
const contactsOf = (id: string, count: number): Promise<readonly string[]> =>
  until(async () => {
    const runs = await automations.runsOf(id);
    return runs.length >= count && runs.map(({ contact_email: email }) => email as string).sort();
  });

const contact = (email: string, more: object = {}): Promise<string> => create('/contacts', { email, ...more });

it('what another team has is refused by name, and what the team has is taken', async () => {
  const second = await addSecondTeam(program.postrider.app);
  const ownKey = { authorization: `Bearer ${second.apiKey}` };
  const made = async (path: string, body: object): Promise<readonly [string, string]> => {
    const own = await create(path, body);
    const response = await program.request(path, { method: 'POST', body: JSON.stringify(body), headers: ownKey });
    const { id } = (await response.json()) as ParsedJson;
    expect(response.status).toBe(201);
    return [own, id as string];
  };
  const segments = await made('/segments', { name: 'Foreign' });
  const topics = await made('/topics', { name: 'Foreign', default_subscription: 'opt_in' });
  const templates = await made('/templates', { name: 'Foreign', html: '<p>Hello</p>' });
  const routes = await made('/routes', { recipient: '*@foreign.test', action: { type: 'webhook' } });
  const named = (kind: string, ids: readonly [string, string], config: (id: string) => object, step?: string) =>
    ({ kind, ids, config, step }) as const;
  const cases = [
    named('segment', segments, (segment_id) => ({ segment_id }), 'add_to_segment'),
    named('topic', topics, (topic_id) => ({ event_name: 'resend:topic.subscribed', topic_id })),
    named('template', templates, (template_id) => ({ event_name: 'resend:email.opened', template_id })),
    named('route', routes, (route_id) => ({ event_name: 'resend:email.received', route_id })),
  ];
  for (const { kind, ids, config, step } of cases) {
    for (const [no, id] of ids.entries()) {
      const start = { key: 'start', type: 'trigger', config: step === undefined ? config(id) : { event_name: 'any' } };
      const steps = step === undefined ? [start] : [start, { key: 'next', type: step, config: config(id) }];
      const connections = step === undefined ? [] : [{ from: 'start', to: 'next' }];
      const response = await post('/automations', { name: kind, steps, connections });
      const { message } = (await response.json()) as ParsedJson;
      const where = step === undefined ? 'trigger `start`' : 'step `next`';
      const refused = [422, `The ${kind} of the ${where} does not exist.`];
      expect([kind, response.status, message]).toEqual([kind, ...(no === 0 ? [201, undefined] : refused)]);
    }
  }
});

describe('an automation begins with', () => {
  it('contacts that are added, by the API and by files', async () => {
    const id = await enabled({ event_name: 'resend:contact.created' });
    await contact('added@sink.test', { first_name: 'Ada' });
    await contact('added@sink.test');
    const form = new FormData();
    form.append('file', new Blob(['email\nfirst@file.test\nsecond@file.test\nadded@sink.test\n']), 'contacts.csv');
    expect((await program.request('/contacts/imports', { method: 'POST', body: form })).status).toBe(201);
    expect(await contactsOf(id, 3)).toEqual(['added@sink.test', 'first@file.test', 'second@file.test']);
  });

  it('contacts that enter a segment, each segment for itself', async () => {
    const [one, other] = [await create('/segments', { name: 'One' }), await create('/segments', { name: 'Other' })];
    const id = await enabled(
      { event_name: 'resend:segment.entered', segment_id: one },
      { event_name: 'resend:segment.entered', segment_id: other },
    );
    await contact('member@sink.test', { segments: [{ id: one }] });
    await post(`/contacts/member@sink.test/segments/${other}`, {});
    await post(`/contacts/member@sink.test/segments/${other}`, {});
    await contact('nobody@sink.test');
    expect(await contactsOf(id, 2)).toEqual(['member@sink.test', 'member@sink.test']);
  });

  it('contacts that enter a segment with a filter, and not those that were in it', async () => {
    await create('/contact-properties', { key: 'plan', type: 'string' });
    const filter = { type: 'rule', field: 'contact.properties.plan', operator: 'eq', value: 'pro' };
    const segment = await create('/segments', { name: 'Pro', filter });
    await contact('was@sink.test', { properties: { plan: 'pro' } });
    await contact('becomes@sink.test');
    const id = await enabled({ event_name: 'resend:segment.entered', segment_id: segment });
    const isKnown = async (): Promise<boolean> =>
      (await query<{ known: boolean }>('SELECT is_known AS known FROM automation_watched_segments')).some(
        ({ known }) => known,
      );
    await until(isKnown);
    const plan = (value: string): Promise<Response> =>
      program.request('/contacts/becomes@sink.test', {
        method: 'PATCH',
        body: JSON.stringify({ properties: { plan: value } }),
      });
    await plan('pro');
    clock.advance(31_000);
    expect(await contactsOf(id, 1)).toEqual(['becomes@sink.test']);
    await plan('free');
    clock.advance(31_000);
    await until(async () => (await query('SELECT FROM automation_segment_members')).length === 1);
    await plan('pro');
    clock.advance(31_000);
    expect(await contactsOf(id, 2)).toEqual(['becomes@sink.test', 'becomes@sink.test']);
    await program.resend.automations.update(id, { status: 'disabled' });
    clock.advance(31_000);
    await until(async () => (await query('SELECT FROM automation_watched_segments')).length === 0);
  });

  it('contacts that subscribe to a topic', async () => {
    const topic = await create('/topics', { name: 'News', default_subscription: 'opt_out' });
    const id = await enabled({ event_name: 'resend:topic.subscribed', topic_id: topic });
    const choose = (email: string, subscription: string): Promise<Response> =>
      program.request(`/contacts/${email}/topics`, {
        method: 'PATCH',
        body: JSON.stringify([{ id: topic, subscription }]),
      });
    for (const email of ['reader@sink.test', 'other@sink.test']) await contact(email);
    for (const each of ['opt_out', 'opt_in', 'opt_in']) await choose('reader@sink.test', each);
    await choose('other@sink.test', 'opt_out');
    expect(await contactsOf(id, 1)).toEqual(['reader@sink.test']);
  });

  it('what happens to emails to a contact, of one template', async () => {
    const any = await enabled({ event_name: 'resend:email.delivered' });
    const one = await enabled({ event_name: 'resend:email.delivered', template_id: template });
    await contact('mailed@sink.test');
    const send = (body: object): Promise<Response> =>
      post('/emails', { from: testSender, to: ['mailed@sink.test', 'stranger@sink.test'], ...body });
    await send({ template: { id: template } });
    await send({ subject: 'Hello', text: 'Hello' });
    expect(await contactsOf(any, 2)).toEqual(['mailed@sink.test', 'mailed@sink.test']);
    expect(await contactsOf(one, 1)).toEqual(['mailed@sink.test']);
    const [run] = await automations.runsOf(one);
    const [payload] = await query<{ payload: ParsedJson }>('SELECT payload FROM automation_runs WHERE id = $1', [
      run?.id,
    ]);
    expect(payload?.payload).toEqual({ email_id: expect.any(String), template_id: template, subject: 'Welcome' });
  });
});

describe('a date of a contact', () => {
  const date = (days: number): string => new Date(clock.now().getTime() + days * dayMs).toISOString().slice(0, 10);
  const renews = (email: string, value: string | null): Promise<Response> =>
    program.request(`/contacts/${email}`, {
      method: 'PATCH',
      body: JSON.stringify({ properties: { renews_at: value } }),
    });

  it('begins an automation some days before it, once, also for contacts that change', async () => {
    await create('/contact-properties', { key: 'renews_at', type: 'string' });
    await contact('soon@sink.test', { properties: { renews_at: date(4) } });
    await contact('never@sink.test', { properties: { renews_at: 'never' } });
    await contact('changes@sink.test', { properties: { renews_at: date(40) } });
    const trigger = { event_name: 'resend:contact.date', property: 'renews_at', offset: '-3 days', time: '00:00' };
    const id = await enabled(trigger);
    const dates = async (): Promise<number> => (await query('SELECT FROM automation_dates')).length;
    await until(async () => (await dates()) === 2);
    await renews('changes@sink.test', date(5));
    await renews('never@sink.test', date(400));
    await until(async () => (await dates()) === 3);
    clock.advance(dayMs);
    expect(await contactsOf(id, 1)).toEqual(['soon@sink.test']);
    clock.advance(dayMs);
    expect(await contactsOf(id, 2)).toEqual(['changes@sink.test', 'soon@sink.test']);
    const [run] = await automations.runsOf(id);
    const [payload] = await query('SELECT payload FROM automation_runs WHERE id = $1', [run?.id]);
    expect(payload).toEqual({ payload: { property: 'renews_at', date: date(0) } });
    // A trigger that stays as it is keeps what it knows.
    const ids = (): Promise<unknown> => query('SELECT id FROM automation_date_triggers WHERE NOT is_removed');
    const before = await ids();
    await program.resend.automations.update(id, { name: 'Renewals' });
    expect(await ids()).toEqual(before);
    await program.resend.automations.update(id, { status: 'disabled' });
    await until(async () => (await dates()) === 0);
  });

  it('comes again each year', async () => {
    await contact('yearly@sink.test', { properties: { renews_at: `1990${date(1).slice(4)}` } });
    const id = await enabled({
      event_name: 'resend:contact.date',
      property: 'renews_at',
      time: '00:00',
      every_year: true,
    });
    const due = async (): Promise<string | undefined> => {
      const rows = await query<{ date: string }>(
        `SELECT date::text FROM automation_dates d JOIN contacts c ON c.id = d.contact_id WHERE c.email = 'yearly@sink.test'`,
      );
      return rows[0]?.date;
    };
    expect(await until(due)).toBe(date(1));
    clock.advance(dayMs);
    await contactsOf(id, 1);
    await until(async () => (await due())?.slice(4) === date(0).slice(4) && (await due()) !== date(0));
  });
});

it('a circle through segments ends with the reason', async () => {
  const [left, right] = [await create('/segments', { name: 'Left' }), await create('/segments', { name: 'Right' })];
  const moving = (from: string, to: string): Promise<string> =>
    create('/automations', {
      name: 'Move',
      status: 'enabled',
      steps: [
        { key: 'start', type: 'trigger', config: { event_name: 'resend:segment.entered', segment_id: from } },
        { key: 'leave', type: 'remove_from_segment', config: { segment_id: from } },
        { key: 'join', type: 'add_to_segment', config: { segment_id: to } },
      ],
      connections: [
        { from: 'start', to: 'leave' },
        { from: 'leave', to: 'join' },
      ],
    });
  const ids = [await moving(left, right), await moving(right, left)];
  await contact('circle@sink.test', { segments: [{ id: left }] });
  const failed = await until(async () => {
    const runs = (await Promise.all(ids.map((id) => automations.runsOf(id)))).flat();
    return runs.some(({ status }) => status === 'failed') && runs;
  });
  expect(failed).toHaveLength(12);
});
