import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { addSecondTeam } from '../support/programs/second-team.js';
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
    await resend.contacts.update({ id, firstName: null });
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
    // In place of an entry in the audit log.
    const [, { data }] = await call('GET', `/contacts/${id}/history`);
    const actor = { kind: 'api_key', id: expect.any(String) };
    expect(data).toMatchObject([{ actor }, { actor }, { actor }]);
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
    await resend.contacts.update({ id, properties: { plan: null } });
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
