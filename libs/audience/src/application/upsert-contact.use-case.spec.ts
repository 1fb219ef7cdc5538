import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { UpsertRequest } from './ports/contact-upserts.port.js';
import { UpsertContact } from './upsert-contact.use-case.js';

let audience: InMemoryAudience;
beforeEach(() => {
  audience = new InMemoryAudience();
});

const request = (email: string, fields: Partial<UpsertRequest> = {}): UpsertRequest => ({
  teamId: audience.teamId,
  actor: audience.principal.actor,
  source: 'api',
  email,
  patch: {},
  segmentIds: [],
  topics: [],
  ...fields,
});
const batch = (...requests: UpsertRequest[]) =>
  audience.work.run((transaction) => audience.apply.apply(requests, transaction));

it('a contact is added with its groups, in one event, and a second time keeps its id', async () => {
  const [segmentId, topicId] = [audience.addSegment(), audience.addTopic()];
  const id = await audience.add('ada@x.test', {
    patch: { firstName: 'Ada' },
    segmentIds: [segmentId],
    topics: [{ topicId, subscription: 'opt_out' }],
  });
  expect(await audience.add('ada@x.test')).toBe(id);
  expect(audience.events.types).toEqual(['contact.created', 'contact.topics.updated']);
  expect(audience.events.committed[0]?.data).toMatchObject({ first_name: 'Ada', segment_ids: [segmentId] });
});

it('requests of a batch for one address follow each other, each with its own event', async () => {
  const results = await batch(
    request('eve@x.test', { patch: { firstName: 'A' } }),
    request('eve@x.test', { patch: { firstName: 'B' } }),
    request('eve@x.test', { patch: { firstName: 'B' } }),
    request('bob@x.test'),
  );
  expect(results.map((result) => 'value' in result && result.value.isNew)).toEqual([true, false, false, true]);
  expect((await audience.contacts.find(audience.teamId, { email: 'eve@x.test' }))?.firstName).toBe('B');
  expect(audience.events.types).toEqual(['contact.created', 'contact.updated', 'contact.created']);
  expect(audience.events.committed[1]?.data).toMatchObject({ previous_attributes: { first_name: 'A' } });
});

it('a request that names what the team does not have is refused alone, and adds nothing', async () => {
  const results = await batch(
    request('one@x.test', { segmentIds: [newId()] }),
    request('two@x.test', { topics: [{ topicId: newId(), subscription: 'opt_in' }] }),
    request('three@x.test', { patch: { properties: { plan: 'pro' } } }),
    request('four@x.test', { segmentIds: [audience.addSegment({ any: 'filter' })] }),
    request('five@x.test'),
  );
  expect(results.map((result) => ('error' in result ? (result.error as Error).message : 'taken'))).toEqual([
    expect.stringMatching('The segment .* does not exist'),
    expect.stringMatching('The topic .* does not exist'),
    'The contact property `plan` does not exist.',
    expect.stringMatching('follow from its filter'),
    'taken',
  ]);
  expect(await audience.contacts.count(audience.teamId)).toBe(1);
});

it('the values of a contact are limited together, whether it is new or grows', async () => {
  const keys = Array.from({ length: 40 }, (_, n) => `key_${n}`);
  for (const key of keys) audience.properties.add(audience.teamId, { key, type: 'string', fallbackValue: null });
  const values = (some: string[]) => ({ properties: Object.fromEntries(some.map((key) => [key, 'x'.repeat(2_000)])) });
  await expect(audience.add('big@x.test', { patch: values(keys) })).rejects.toThrow('at most');
  await audience.add('big@x.test', { patch: values(keys.slice(0, 20)) });
  await expect(audience.add('big@x.test', { patch: values(keys.slice(20)) })).rejects.toThrow('at most');
});

it('a sending key may not add contacts', async () => {
  const contact = { email: 'x@x.test', patch: {}, segmentIds: [], topics: [] };
  await expect(new UpsertContact(audience.upserts, audience.apply).upsert(audience.sender, contact)).rejects.toThrow();
});
