import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { DeliveryOutcome, DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';

const transport = new InMemoryDeliveryTransport();
let program: TestProgram;
let resend: Resend;

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, transport));
  resend = program.resend;
});

afterAll(() => program.stop());

async function call(
  method: string,
  path: string,
  body?: unknown,
): Promise<[number, Record<string, unknown> & { readonly id?: string }]> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await program.request(path, init);
  return [response.status, (await response.json()) as Record<string, unknown> & { readonly id?: string }];
}

const rows = (text: string, ...values: unknown[]) =>
  program.postrider.app.get(Database).query<Record<string, unknown>>({ text, values });

describe('segments', () => {
  it('are created, read, renamed, listed and deleted by the client', async () => {
    const created = await resend.segments.create({ name: 'Customers' });
    const id = created.data?.id as string;
    expect(created.data).toEqual({ object: 'segment', id, name: 'Customers' });
    await resend.segments.update(id, { name: 'Clients' });
    expect((await resend.segments.get(id)).data).toMatchObject({ object: 'segment', id, name: 'Clients' });
    expect((await resend.segments.list()).data).toMatchObject({
      object: 'list',
      has_more: false,
      data: [{ id, audience_id: id, name: 'Clients', created_at: expect.any(String) }],
    });
    const deleted = { object: 'segment', id, deleted: true };
    expect((await resend.segments.remove(id)).data).toEqual(deleted);
    expect((await resend.segments.remove(id)).data).toEqual(deleted);
    expect((await resend.segments.get(id)).error).toMatchObject({ statusCode: 404, message: 'Audience not found' });
  });

  it('take the id of an audience, which is the segment itself', async () => {
    const [status, segment] = await call('POST', '/segments', { name: 'Old style', audience_id: newId() });
    expect(status).toBe(201);
    expect((await call('GET', `/segments/${segment.id}`))[1]).toMatchObject({ audience_id: segment.id });
  });

  it('keep their filter, and then refuse members that are added by hand', async () => {
    const filter = { type: 'rule', field: 'contact.email', operator: 'ends_with', value: '@x.test' };
    const [status, segment] = await call('POST', '/segments', { name: 'Filtered', filter });
    expect(status).toBe(201);
    expect((await call('GET', `/segments/${segment.id}`))[1].filter).toEqual(filter);
    const { data } = await resend.contacts.create({ email: 'm@filter.test' });
    expect(await call('POST', `/contacts/${data?.id}/segments/${segment.id}`)).toMatchObject([
      422,
      { name: 'validation_error', message: expect.stringContaining('filter') },
    ]);
    expect((await call('POST', '/contacts', { email: 'n@filter.test', segments: [segment.id] }))[0]).toBe(422);
  });

  it('are listed with their kind and number of contacts, which follows what is added and removed', async () => {
    const [{ id = '' }, { id: other = '' }] = [
      (await call('POST', '/segments', { name: 'Counted' }))[1],
      (await call('POST', '/segments', { name: 'Counted, too' }))[1],
    ];
    const filter = { type: 'rule', field: 'contact.email', operator: 'exists' };
    const { id: filtered } = (await call('POST', '/segments', { name: 'All', filter }))[1];
    const sizes = async (): Promise<unknown[]> => {
      const { data } = (await call('GET', '/segments'))[1] as {
        data: { id: string; kind: string; contacts: number }[];
      };
      return [id, other, filtered].map((of) => {
        const { kind, contacts } = data.find((segment) => segment.id === of) ?? {};
        return [kind, contacts];
      });
    };
    const none = ['filter', null];
    expect(await sizes()).toEqual([['static', 0], ['static', 0], none]);
    const segments = [{ id }, { id: other }];
    for (const name of ['a', 'b', 'c']) await call('POST', '/contacts', { email: `${name}@size.test`, segments });
    // Known as a member.
    await call('POST', '/contacts', { email: 'a@size.test', segments });
    expect(await sizes()).toEqual([['static', 3], ['static', 3], none]);
    await call('DELETE', `/contacts/a@size.test/segments/${id}`);
    await call('DELETE', '/contacts/b@size.test');
    expect(await sizes()).toEqual([['static', 1], ['static', 2], none]);
    await call('DELETE', `/segments/${id}`);
    await until(async () => (await rows('SELECT FROM segment_sizes WHERE segment_id = $1', id)).length === 0);
    expect((await sizes())[1]).toEqual(['static', 2]);
  });

  it('are counted exactly while contacts join, leave and are deleted at once', async () => {
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three']) ids.push((await call('POST', '/segments', { name }))[1].id as string);
    const inOrder = (no: number): object[] => [0, 1, 2].map((at) => ({ id: ids[(at + no) % 3] }));
    const worker = async (no: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let round = 0; round < 6; round++) {
        const path = `/contacts/w${no}.${round}@race.test`;
        const body = { email: `w${no}.${round}@race.test`, segments: inOrder(no + round) };
        statuses.push((await call('POST', '/contacts', body))[0]);
        statuses.push((await call('DELETE', `${path}/segments/${ids[round % 3]}`))[0]);
        if (round % 2 === 0) statuses.push((await call('DELETE', path))[0]);
      }
      return statuses;
    };
    const statuses = (await Promise.all(Array.from({ length: 40 }, (_, no) => worker(no)))).flat();
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
    const counted = `SELECT s.id, (SELECT sum(contacts)::int FROM segment_sizes WHERE segment_id = s.id) AS size,
      (SELECT count(*)::int FROM segment_contacts WHERE segment_id = s.id) AS members FROM unnest($1::uuid[]) s (id)`;
    const sizes = await rows(counted, ids);
    expect(sizes.map(({ size }) => size)).toEqual(sizes.map(({ members }) => members));
    expect(sizes.map(({ members }) => members)).toContain(80);
  });

  it.each([
    [{}, 'missing_required_field'],
    [{ name: '' }, 'missing_required_field'],
    [{ name: 7 }, 'validation_error'],
    [{ name: 'x'.repeat(256) }, 'validation_error'],
    [{ name: 'x', filter: { value: 'x'.repeat(20_000) } }, 'validation_error'],
  ])('are refused as %p', async (body, name) => {
    expect(await call('POST', '/segments', body)).toMatchObject([422, { name }]);
  });

  it('that are deleted leave no members behind', async () => {
    const { data } = await resend.segments.create({ name: 'Short' });
    const id = data?.id as string;
    await resend.contacts.create({ email: 'left@behind.test', segments: [{ id }] });
    await resend.segments.remove(id);
    expect((await resend.contacts.segments.list({ email: 'left@behind.test' })).data?.data).toEqual([]);
    await until(async () => (await rows('SELECT FROM segment_contacts WHERE segment_id = $1', id)).length === 0);
    await until(async () => (await rows('SELECT FROM audience_removals')).length === 0);
  });
});

describe('audiences', () => {
  it('are segments under their old name and shape', async () => {
    const [status, created] = await call('POST', '/audiences', { name: 'Old' });
    expect([status, created]).toEqual([201, { object: 'audience', id: expect.any(String), name: 'Old' }]);
    const { id } = created;
    const shown = { id, name: 'Old', created_at: expect.any(String) };
    expect(await call('GET', `/audiences/${id}`)).toEqual([200, { object: 'audience', ...shown }]);
    expect((await call('GET', '/audiences'))[1]).toMatchObject({
      object: 'list',
      has_more: false,
      data: expect.arrayContaining([shown]),
    });
    expect((await resend.segments.get(id as string)).data?.name).toBe('Old');
    expect(await call('DELETE', `/audiences/${id}`)).toEqual([200, { object: 'audience', id, deleted: true }]);
    expect((await call('GET', `/audiences/${id}`))[0]).toBe(404);
  });

  it('have contacts under their old paths, by the client and raw', async () => {
    const audienceId = (await resend.audiences.create({ name: 'Legacy' })).data?.id as string;
    const created = await resend.contacts.create({ audienceId, email: 'legacy@old.test', firstName: 'Le' });
    const id = created.data?.id as string;
    expect(created.data).toEqual({ object: 'contact', id });
    expect((await resend.contacts.list({ audienceId })).data?.data.map((contact) => contact.id)).toEqual([id]);
    await resend.contacts.update({ audienceId, id, lastName: 'Gacy' });
    expect((await resend.contacts.get({ audienceId, email: 'legacy@old.test' })).data).toMatchObject({
      id,
      first_name: 'Le',
      last_name: 'Gacy',
    });
    const path = `/audiences/${audienceId}/contacts/LEGACY@old.test`;
    expect(await call('DELETE', path)).toEqual([
      200,
      { object: 'contact', id, contact: 'LEGACY@old.test', deleted: true },
    ]);
    expect((await call('GET', path))[0]).toBe(404);
    expect(await call('DELETE', path)).toMatchObject([200, { contact: 'LEGACY@old.test', deleted: true }]);
    expect(await call('POST', `/audiences/${newId()}/contacts`, { email: 'x@old.test' })).toMatchObject([
      404,
      { message: 'Audience not found' },
    ]);
  });
});

describe('topics', () => {
  it('are created, read, changed, listed and deleted by the client, with an event for each change', async () => {
    const { data } = await resend.topics.create({
      name: 'News',
      defaultSubscription: 'opt_in',
      description: 'All of it',
    });
    const id = data?.id as string;
    expect(data).toEqual({ object: 'topic', id });
    await resend.topics.update({ id, name: 'Good news', visibility: 'public' } as never);
    await resend.topics.update({ id, name: 'Good news' });
    const shown = {
      id,
      name: 'Good news',
      description: 'All of it',
      default_subscription: 'opt_in',
      visibility: 'public',
    };
    expect(await call('GET', `/topics/${id}`)).toMatchObject([200, { object: 'topic', ...shown }]);
    expect((await resend.topics.get(id)).data).toMatchObject({ id, name: 'Good news' });
    expect((await resend.topics.list()).error).toBeNull();
    expect((await call('GET', '/topics'))[1]).toMatchObject({ object: 'list', data: [shown] });
    expect((await resend.topics.remove(id)).data).toEqual({ object: 'topic', id, deleted: true });
    expect((await resend.topics.remove(id)).error).toMatchObject({ statusCode: 404, message: 'Topic not found' });
    const events = await rows(`SELECT type, data FROM team_events WHERE data ->> 'id' = $1 ORDER BY id`, id);
    expect(events.map(({ type }) => type)).toEqual(['topic.created', 'topic.updated', 'topic.deleted']);
    expect(events[1]?.data).toMatchObject({
      previous_attributes: { name: 'News', visibility: 'private' },
      deleted: false,
    });
    expect(events[2]?.data).toMatchObject({ deleted: true });
  });

  it.each([
    [{ default_subscription: 'opt_in' }, 'missing_required_field'],
    [{ name: 'x' }, 'missing_required_field'],
    [{ name: 'x'.repeat(51), default_subscription: 'opt_in' }, 'validation_error'],
    [{ name: 'x', default_subscription: 'maybe' }, 'validation_error'],
    [{ name: 'x', default_subscription: 'opt_in', visibility: 'odd' }, 'validation_error'],
    [{ name: 'x', default_subscription: 'opt_in', description: 'x'.repeat(201) }, 'validation_error'],
  ])('are refused as %p', async (body, name) => {
    expect(await call('POST', '/topics', body)).toMatchObject([422, { name }]);
  });
});

describe('contact properties', () => {
  it('are created, read, changed, listed and deleted by the client', async () => {
    const created = await resend.contactProperties.create({ key: 'city', type: 'string', fallbackValue: 'Rome' });
    const id = created.data?.id as string;
    expect(created.data).toEqual({ object: 'contact_property', id });
    await resend.contactProperties.update({ id, fallbackValue: 'Oslo' });
    expect((await resend.contactProperties.get(id)).data).toMatchObject({ id, key: 'city', fallbackValue: 'Oslo' });
    await resend.contactProperties.update({ id, fallbackValue: null });
    expect((await resend.contactProperties.list()).data?.data).toEqual([
      expect.objectContaining({ id, key: 'city', type: 'string', fallbackValue: null }),
    ]);
    expect((await resend.contactProperties.remove(id)).data).toMatchObject({ id, deleted: true });
    expect((await resend.contactProperties.get(id)).error).toMatchObject({ message: 'Contact property not found' });
  });

  it('that are deleted take their values with them, and another type may follow', async () => {
    const { data } = await resend.contactProperties.create({ key: 'size', type: 'string' });
    const contact = await resend.contacts.create({ email: 'size@property.test', properties: { size: 'large' } });
    await resend.contactProperties.remove(data?.id as string);
    const id = contact.data?.id as string;
    expect((await resend.contacts.get(id)).data?.properties).toEqual({});
    await until(async () => (await resend.contactProperties.create({ key: 'size', type: 'number' })).error === null);
    expect((await resend.contacts.get(id)).data?.properties).toEqual({});
    expect((await resend.contacts.update({ id, properties: { size: 5 } })).error).toBeNull();
  });

  it.each([
    [{ type: 'string' }, 'missing_required_field'],
    [{ key: 'x' }, 'missing_required_field'],
    [{ key: 'two words', type: 'string' }, 'validation_error'],
    [{ key: 'x'.repeat(51), type: 'string' }, 'validation_error'],
    [{ key: 'FIRST_NAME', type: 'string' }, 'validation_error'],
    [{ key: '__proto__', type: 'string' }, 'validation_error'],
    [{ key: 'x', type: 'boolean' }, 'validation_error'],
    [{ key: 'x', type: 'number', fallback_value: 'five' }, 'validation_error'],
    [{ key: 'size', type: 'number' }, 'validation_error'],
  ])('are refused as %p', async (body, name) => {
    expect(await call('POST', '/contact-properties', body)).toMatchObject([422, { name }]);
  });
});

it('usage counts contacts and segments', async () => {
  const usage = async () => (await call('GET', '/usage'))[1] as Record<'contacts' | 'segments', { used: number }>;
  const before = await usage();
  await resend.contacts.create({ email: 'counted@usage.test' });
  await resend.contacts.create({ email: 'counted@usage.test' });
  await resend.contacts.create({ email: 'uncounted@usage.test' });
  await resend.contacts.remove({ email: 'uncounted@usage.test' });
  await resend.segments.create({ name: 'Counted' });
  const after = await usage();
  expect(after.contacts.used).toBe(before.contacts.used + 1);
  expect(after.segments.used).toBe(before.segments.used + 1);
});

describe('a contact', () => {
  const bounce = (enhancedCode: string): DeliveryOutcome => ({
    kind: 'bounced',
    reason: `550 ${enhancedCode} No`,
    detail: { replyCode: 550, enhancedCode, replyText: 'No', durationMs: 1 },
  });
  const send = (to: string) => resend.emails.send({ from: testSender, to, subject: 'Hi', text: 'Hello' });
  const contact = async (email: string) => (await call('GET', `/contacts/${email}`))[1];

  it('whose address does not exist is marked, and one whose mail is refused for another reason is not', async () => {
    transport.outcomeFor('gone@marks.test', bounce('5.1.1'));
    transport.outcomeFor('full@marks.test', bounce('5.7.1'));
    for (const email of ['gone@marks.test', 'full@marks.test'])
      await resend.contacts.create({ email: email.toUpperCase() });
    await send('full@marks.test');
    await send('gone@marks.test');
    await until(async () => (await contact('gone@marks.test')).bounced_at !== null);
    expect(await contact('gone@marks.test')).toMatchObject({ unsubscribed: false, complained_at: null });
    expect((await contact('full@marks.test')).bounced_at).toBeNull();
    expect((await call('GET', '/contacts/gone@marks.test/history'))[1]).toMatchObject({
      data: [{ type: 'updated', source: 'feedback', actor: { kind: 'service', id: null } }, { type: 'created' }],
    });
  });

  it('who complains is marked and unsubscribed', async () => {
    const address = 'cross@marks.test';
    transport.outcomeFor(address, { kind: 'delivered', complained: true, detail: { durationMs: 1 } });
    await resend.contacts.create({ email: address });
    await send(address);
    await until(async () => (await contact(address)).complained_at !== null);
    expect((await contact(address)).unsubscribed).toBe(true);
  });

  it('that is deleted leaves its suppression as a hash, which still holds', async () => {
    const id = (await resend.suppressions.add({ email: 'hidden@marks.test' })).data?.id as string;
    await resend.contacts.create({ email: 'hidden@marks.test', firstName: 'Hidden' });
    const contactId = (await contact('hidden@marks.test')).id as string;
    await resend.contacts.remove({ email: 'hidden@marks.test' });
    expect((await resend.suppressions.get(id)).data?.email).toMatch(/^hmac:/);
    const sent = await send('hidden@marks.test');
    expect((await resend.emails.get(sent.data?.id as string)).data?.last_event).toBe('suppressed');
    expect((await resend.suppressions.get('hidden@marks.test')).data?.id).toBe(id);
    await until(async () => (await rows('SELECT FROM audience_removals')).length === 0);
    expect(await rows('SELECT type FROM contact_changes WHERE contact_id = $1', contactId)).toEqual([
      { type: 'deleted' },
    ]);
    expect((await call('GET', `/contacts/${contactId}/history`))[1]).toMatchObject({ data: [{ type: 'deleted' }] });
  });
});
