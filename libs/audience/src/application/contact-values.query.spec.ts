import { expect, it } from '@jest/globals';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { ContactValues, maxMergeContacts } from './contact-values.query.js';

it('a merge gets the values of contacts, with the fallback of a property where there is none', async () => {
  const audience = new InMemoryAudience();
  const { teamId } = audience;
  audience.properties.add(teamId, { key: 'plan', type: 'string', fallbackValue: 'free' });
  audience.properties.add(teamId, { key: 'seats', type: 'number', fallbackValue: null });
  const segmentId = audience.addSegment();
  const ada = await audience.add('ada@x.test', { patch: { firstName: 'Ada', properties: { plan: 'pro' } } });
  const eve = await audience.add('eve@x.test', { segmentIds: [segmentId] });
  const values = new ContactValues(audience.contacts, audience.properties);
  const found = await values.of(teamId, ['ADA@x.test', 'eve@x.test', 'nobody@x.test']);
  expect(found.get('ada@x.test')).toMatchObject({
    id: ada,
    firstName: 'Ada',
    properties: { plan: 'pro', seats: null },
  });
  expect(found.get('eve@x.test')?.properties).toEqual({ plan: 'free', seats: null });
  expect(found.size).toBe(2);
  expect([...found.values()].map(({ lacking }) => [...lacking])).toEqual([['seats'], ['plan', 'seats']]);
  expect(await values.find(teamId, { id: ada })).toEqual(found.get('ada@x.test'));
  expect(await values.find(teamId, { email: 'Ada@x.test' })).toEqual(found.get('ada@x.test'));
  expect(await values.find(teamId, { email: 'nobody@x.test' })).toBeUndefined();
  const fields = await values.fieldsOf(teamId, ['Ada@x.test', 'nobody@x.test']);
  expect(fields.get('Ada@x.test')).toMatchObject({
    email: 'Ada@x.test',
    firstName: found.get('ada@x.test')?.firstName,
  });
  expect(fields.get('nobody@x.test')).toMatchObject({ firstName: null, properties: { plan: 'free', seats: null } });
  expect((await values.propertiesOf(teamId)).map(({ key }) => key)).toEqual(['plan', 'seats']);
  expect((await values.next(teamId, { limit: 1 })).map(({ id }) => id)).toEqual([ada]);
  expect((await values.next(teamId, { limit: 5, after: ada })).map(({ id }) => id)).toEqual([eve]);
  expect((await values.next(teamId, { limit: 5, segmentId })).map(({ id }) => id)).toEqual([eve]);
  await expect(values.next(teamId, { limit: maxMergeContacts + 1 })).rejects.toThrow('Too many');
});
