import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { newId } from '#kernel';
import { Database } from '#platform/database';
import { addSecondTeam } from '../support/second-team.js';
import { startProgram, TestProgram } from '../support/program.js';

let program: TestProgram;
let resend: Resend;

beforeAll(async () => {
  program = await startProgram();
  resend = program.resend;
});

afterAll(() => program.stop());

/** The status and the body of a raw request. */
async function call(method: string, path: string, body?: unknown): Promise<[number, Record<string, unknown>]> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await program.request(path, init);
  return [response.status, (await response.json()) as Record<string, unknown>];
}

async function add(email: string, fields: object = {}): Promise<string> {
  const { data, error } = await resend.contacts.create({ email, ...fields });
  expect(error).toBeNull();
  return data?.id as string;
}

async function aSegment(name = 'Segment'): Promise<string> {
  return (await resend.segments.create({ name })).data?.id as string;
}

async function aTopic(defaultSubscription: 'opt_in' | 'opt_out' = 'opt_in'): Promise<string> {
  return (await resend.topics.create({ name: 'Topic', defaultSubscription })).data?.id as string;
}

const history = async (id: string) =>
  ((await call('GET', `/contacts/${id}/history`))[1].data as { type: string; changes: object[] }[]).map(
    ({ type, changes }) => [type, changes],
  );

/** The events of the team about one contact, oldest first. */
async function eventsAbout(email: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  return program.postrider.app.get(Database).query({
    text: `SELECT type, data FROM team_events WHERE data ->> 'email' = $1 ORDER BY id`,
    values: [email],
  });
}

describe('a contact', () => {
  it('is added once, whatever the case of its address, and keeps what is not given', async () => {
    const id = await add('Ada@Once.test', { firstName: 'Ada', unsubscribed: true });
    expect(await call('POST', '/contacts', { email: 'ada@once.TEST', last_name: 'Lovelace' })).toEqual([
      201,
      { object: 'contact', id },
    ]);
    const { data } = await resend.contacts.get({ email: 'ADA@once.test' });
    expect(data).toMatchObject({
      object: 'contact',
      id,
      email: 'ada@once.test',
      first_name: 'Ada',
      last_name: 'Lovelace',
      unsubscribed: true,
      properties: {},
    });
    expect((await resend.contacts.get(id)).data).toEqual(data);
  });

  it('is one contact however many requests add it at once, and each of them is answered', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `Name ${n}`);
    const ids = await Promise.all(names.map((firstName) => add('many@once.test', { firstName })));
    expect(new Set(ids).size).toBe(1);
    const events = await eventsAbout('many@once.test');
    expect(events.map(({ type }) => type)).toEqual(['contact.created', ...names.slice(1).map(() => 'contact.updated')]);
  });

  it('is updated by id or address, null clears a name, and an empty text counts as absent', async () => {
    const id = await add('eve@update.test', { firstName: 'Eve', lastName: 'Adams' });
    await resend.contacts.update({ email: 'eve@update.test', unsubscribed: true });
    await resend.contacts.update({ id, firstName: null } as never);
    expect(await call('PATCH', `/contacts/${id}`, { id, email: 'EVE@update.test', last_name: '' })).toEqual([
      200,
      { object: 'contact', id },
    ]);
    expect((await resend.contacts.get(id)).data).toMatchObject({
      first_name: null,
      last_name: 'Adams',
      unsubscribed: true,
    });
    expect(await history(id)).toEqual([
      ['updated', [{ field: 'first_name', from: 'Eve', to: null }]],
      ['updated', [{ field: 'unsubscribed', from: false, to: true }]],
      ['created', expect.any(Array)],
    ]);
  });

  it('may get another address that no other contact has', async () => {
    const id = await add('old@address.test');
    await add('taken@address.test');
    expect((await call('PATCH', `/contacts/${id}`, { email: 'New@address.test' }))[0]).toBe(200);
    expect((await resend.contacts.get({ email: 'new@address.test' })).data?.id).toBe(id);
    expect(await call('PATCH', `/contacts/${id}`, { email: 'taken@address.test' })).toEqual([
      422,
      { statusCode: 422, name: 'validation_error', message: 'Another contact has this `email`.' },
    ]);
  });

  it('has typed values of the properties that exist', async () => {
    await resend.contactProperties.create({ key: 'plan', type: 'string', fallbackValue: 'free' });
    await resend.contactProperties.create({ key: 'seats', type: 'number' });
    const id = await add('props@values.test', { properties: { plan: 'pro', seats: 3 } });
    await resend.contacts.update({ id, properties: { seats: 4 } });
    const { data } = await resend.contacts.get(id);
    expect(data?.properties).toEqual({ plan: { type: 'string', value: 'pro' }, seats: { type: 'number', value: 4 } });
    await resend.contacts.update({ id, properties: { plan: null } } as never);
    expect((await resend.contacts.get(id)).data?.properties).toEqual({ seats: { type: 'number', value: 4 } });
    for (const properties of [{ seats: 'four' }, { colour: 'red' }, { constructor: 'x' }]) {
      expect((await resend.contacts.update({ id, properties: properties as never })).error).toMatchObject({
        statusCode: 422,
        name: 'validation_error',
      });
      expect(
        (await resend.contacts.create({ email: 'n@values.test', properties: properties as never })).error,
      ).toMatchObject({ statusCode: 422 });
    }
    expect((await resend.contacts.get({ email: 'n@values.test' })).error?.statusCode).toBe(404);
  });

  it('is deleted under either name, and is then gone', async () => {
    const [byId, byEmail] = [await add('id@gone.test'), await add('email@gone.test')];
    expect((await resend.contacts.remove({ email: 'Email@gone.test' })).data).toEqual({
      object: 'contact',
      id: byEmail,
      contact: byEmail,
      deleted: true,
    });
    expect((await resend.contacts.remove(byId)).data).toMatchObject({ contact: byId, deleted: true });
    expect((await resend.contacts.get(byId)).error).toMatchObject({ statusCode: 404, message: 'Contact not found' });
    expect((await resend.contacts.remove(byId)).error).toMatchObject({ statusCode: 404 });
    expect((await eventsAbout('id@gone.test')).map(({ type }) => type)).toEqual(['contact.created', 'contact.deleted']);
  });

  it.each([
    [{}, 'missing_required_field'],
    [{ email: 'nonsense' }, 'validation_error'],
    [{ email: 'a@x.test', unsubscribed: 'yes' }, 'validation_error'],
    [{ email: 'a@x.test', first_name: 5 }, 'validation_error'],
    [{ email: 'a@x.test', first_name: 'x'.repeat(256) }, 'validation_error'],
    [{ email: 'a@x.test', first_name: 'a\0b' }, 'validation_error'],
    [{ email: 'a@x.test', properties: [] }, 'validation_error'],
    [{ email: 'a@x.test', segments: ['x'] }, 'validation_error'],
    [{ email: 'a@x.test', segments: [newId()] }, 'validation_error'],
    [{ email: 'a@x.test', topics: [{ id: newId(), subscription: 'opt_in' }] }, 'validation_error'],
    [{ email: 'a@x.test', topics: [{ id: newId(), subscription: 'maybe' }] }, 'validation_error'],
  ])('is refused as %p', async (body, name) => {
    expect(await call('POST', '/contacts', body)).toMatchObject([422, { name }]);
  });

  it('of another team is unknown, and so are its groups', async () => {
    const id = await add('shared@teams.test');
    const [segmentId, topicId] = [await aSegment(), await aTopic()];
    const other = await addSecondTeam(program.postrider.app);
    const stranger = new Resend(other.apiKey, { baseUrl: program.url });
    const answers = await Promise.all([
      stranger.contacts.get(id),
      stranger.contacts.update({ id, firstName: 'X' }),
      stranger.contacts.remove(id),
      stranger.contacts.segments.list({ contactId: id }),
      stranger.contacts.topics.list({ id }),
      stranger.segments.get(segmentId),
      stranger.topics.get(topicId),
      stranger.topics.remove(topicId),
      stranger.contacts.list({ segmentId }),
    ]);
    expect(answers.map(({ error }) => error?.statusCode)).toEqual(answers.map(() => 404));
    const theirs = (await stranger.contacts.create({ email: 'shared@teams.test' })).data?.id as string;
    expect(theirs).not.toBe(id);
    const foreign = [
      await stranger.contacts.segments.add({ contactId: theirs, segmentId }),
      await stranger.contacts.topics.update({ id: theirs, topics: [{ id: topicId, subscription: 'opt_in' }] }),
      await stranger.contacts.create({ email: 'x@teams.test', segments: [{ id: segmentId }] }),
    ];
    expect(foreign.map(({ error }) => error?.statusCode)).toEqual([404, 422, 422]);
    await stranger.segments.remove(segmentId);
    expect((await resend.segments.get(segmentId)).error).toBeNull();
  });
});

describe('lists', () => {
  it('are whole without parameters, newest first, and pages otherwise', async () => {
    const segmentId = await aSegment();
    const ids = [];
    for (const n of [1, 2, 3]) ids.push(await add(`${n}@pages.test`, { segments: [{ id: segmentId }] }));
    const all = await resend.contacts.list({ segmentId });
    expect(all.data?.data.map(({ id }) => id)).toEqual([...ids].reverse());
    expect(all.data?.data[0]).toEqual({
      id: ids[2],
      email: '3@pages.test',
      first_name: null,
      last_name: null,
      created_at: expect.any(String),
      unsubscribed: false,
    });
    for (const path of [
      `/contacts?segment_id=${segmentId}&`,
      `/segments/${segmentId}/contacts?`,
      `/audiences/${segmentId}/contacts?`,
    ]) {
      expect(await call('GET', `${path}limit=1&after=${ids[1]}`)).toMatchObject([
        200,
        { has_more: false, data: [{ id: ids[0] }] },
      ]);
      expect(await call('GET', `${path}limit=1&before=${ids[0]}`)).toMatchObject([
        200,
        { has_more: true, data: [{ id: ids[1] }] },
      ]);
      expect((await call('GET', `${path}after=nonsense`))[0]).toBe(422);
    }
    const next = await resend.contacts.list({ limit: 1, after: ids[2] as string });
    expect(next.data).toMatchObject({ has_more: true, data: [{ id: ids[1] }] });
  });

  it('are searched by the beginning of the address and of the names, in any case', async () => {
    await add('zoe.quartz@search.test', { firstName: 'Zoë', lastName: 'Quartz' });
    await add('other@search.test', { firstName: 'Zora', lastName: 'Quill' });
    await add('quick@search.test');
    const found = async (text: string, more = '') =>
      ((await call('GET', `/contacts?search=${encodeURIComponent(text)}${more}`))[1].data as { email: string }[]).map(
        ({ email }) => email.slice(0, email.indexOf('@')),
      );
    expect(await found('QU')).toEqual(['quick', 'other', 'zoe.quartz']);
    expect(await found('zoë')).toEqual(['zoe.quartz']);
    expect(await found('Zora Qu')).toEqual(['other']);
    expect(await found('zo')).toEqual(['other', 'zoe.quartz']);
    expect(await found('%')).toEqual([]);
    expect(await found('qu', '&limit=2')).toEqual(['quick', 'other']);
    const segmentId = await aSegment();
    await resend.contacts.segments.add({ email: 'quick@search.test', segmentId });
    expect(await found('qu', `&segment_id=${segmentId}`)).toEqual(['quick']);
  });
});

describe('segments of a contact', () => {
  it('are joined and left, with one event for each change', async () => {
    const [segmentId, other] = [await aSegment('One'), await aSegment('Two')];
    const id = await add('joins@segments.test', { segments: [{ id: other }] });
    const reference = { object: 'contact_segment', id: segmentId, contact_id: id, segment_id: segmentId };
    expect((await resend.contacts.segments.add({ contactId: id, segmentId })).data).toEqual(reference);
    expect((await resend.contacts.segments.add({ email: 'joins@segments.test', segmentId })).data).toEqual(reference);
    const { data } = await resend.contacts.segments.list({ email: 'joins@segments.test' });
    expect(data?.data.map(({ name }) => name)).toEqual(['Two', 'One']);
    expect((await resend.contacts.segments.remove({ contactId: id, segmentId })).data).toEqual({
      ...reference,
      deleted: true,
    });
    expect((await eventsAbout('joins@segments.test')).map((event) => [event.type, event.data.segment_ids])).toEqual([
      ['contact.created', [other]],
      ['contact.updated', [segmentId, other]],
      ['contact.updated', [other]],
    ]);
    const [, joined] = await eventsAbout('joins@segments.test');
    expect(joined?.data.previous_attributes).toEqual({ segment_ids: [other] });
  });

  it('are refused where they do not exist, or follow from a filter', async () => {
    const id = await add('no@segments.test');
    expect(await call('POST', `/contacts/${id}/segments/${newId()}`)).toMatchObject([
      404,
      { message: 'Audience not found' },
    ]);
    expect(await call('POST', `/contacts/${id}/segments/nonsense`)).toMatchObject([422, { name: 'invalid_parameter' }]);
    expect(await call('POST', `/contacts/${newId()}/segments/${await aSegment()}`)).toMatchObject([
      404,
      { message: 'Contact not found' },
    ]);
  });
});

describe('topics of a contact', () => {
  it('follow the default until the contact chooses', async () => {
    const [news, offers] = [await aTopic('opt_in'), await aTopic('opt_out')];
    const id = await add('chooses@topics.test', { topics: [{ id: offers, subscription: 'opt_in' }] });
    const shown = async () => {
      const { data } = await resend.contacts.topics.list({ email: 'chooses@topics.test' });
      const topics = new Map(data?.data.map((topic) => [topic.id, topic.subscription]));
      return [topics.get(news), topics.get(offers)];
    };
    expect(await shown()).toEqual(['opt_in', 'opt_in']);
    const { data } = await resend.contacts.topics.update({ id, topics: [{ id: news, subscription: 'opt_out' }] });
    expect(data).toMatchObject({ id });
    expect(
      await call('PATCH', '/contacts/chooses@topics.test/topics', {
        topics: [{ id: offers, subscription: 'opt_out' }],
      }),
    ).toEqual([
      200,
      { object: 'contact_topics', id, contact_id: id, topics: [{ id: offers, subscription: 'opt_out' }] },
    ]);
    expect(await shown()).toEqual(['opt_out', 'opt_out']);
    await resend.contacts.topics.update({ id, topics: [{ id: news, subscription: 'opt_out' }] });
    const events = (await eventsAbout('chooses@topics.test')).filter(({ type }) => type === 'contact.topics.updated');
    expect(events.map(({ data: { topics, previous_attributes } }) => [topics, previous_attributes])).toEqual([
      [[{ id: offers, subscription: 'opt_in' }], { topics: [{ id: offers, subscription: null }] }],
      [[{ id: news, subscription: 'opt_out' }], { topics: [{ id: news, subscription: null }] }],
      [[{ id: offers, subscription: 'opt_out' }], { topics: [{ id: offers, subscription: 'opt_in' }] }],
    ]);
    expect((await history(id)).map(([type]) => type)).toEqual([
      'topics_updated',
      'topics_updated',
      'topics_updated',
      'created',
    ]);
  });
});
