import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { startProgram, TestProgram } from '../support/programs/program.js';

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
