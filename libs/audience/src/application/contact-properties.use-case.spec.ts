import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryAudience } from '../../../../test/support/fakes/in-memory-audience.js';
import { maxProperties } from '../domain/property.js';
import { ContactProperties } from './contact-properties.use-case.js';

let audience: InMemoryAudience;
let manage: ContactProperties;
beforeEach(() => {
  audience = new InMemoryAudience();
  const { properties, removals, work, clock } = audience;
  manage = new ContactProperties(properties, removals, work, clock);
});

it('a property is created once, its fallback changes, and its values are to be removed with it', async () => {
  const id = await manage.create(audience.principal, { key: 'seats', type: 'number', fallbackValue: 1 });
  await expect(manage.create(audience.principal, { key: 'seats', type: 'string' })).rejects.toThrow('exists already');
  await manage.setFallback(audience.principal, id, 2);
  await manage.setFallback(audience.principal, id, undefined);
  expect((await manage.find(audience.teamId, id)).fallbackValue).toBe(2);
  await manage.setFallback(audience.principal, id, null);
  expect((await manage.find(audience.teamId, id)).fallbackValue).toBeNull();
  await expect(manage.setFallback(audience.principal, id, 'two')).rejects.toThrow('must be a number');
  await manage.remove(audience.principal, id);
  expect(audience.removals.added).toMatchObject([{ kind: 'property', key: 'seats' }]);
});

it('a key whose values are still being removed is locked', async () => {
  audience.properties.inRemoval.add('plan');
  const creating = manage.create(audience.principal, { key: 'plan', type: 'string' });
  await expect(creating).rejects.toMatchObject({ code: 'resource_locked' });
});

it.each(['FIRST_NAME', 'email', 'a b', '', '__proto__', 'ä', 'x'.repeat(51)])('the key %p is refused', async (key) => {
  await expect(manage.create(audience.principal, { key, type: 'string' })).rejects.toThrow('key');
});

it('properties of others are unknown, and their number is limited', async () => {
  await expect(manage.find(audience.teamId, newId())).rejects.toThrow('Contact property not found');
  await expect(manage.remove(audience.principal, newId())).rejects.toThrow('Contact property not found');
  await expect(manage.create(audience.sender, { key: 'x', type: 'string' })).rejects.toThrow();
  for (let n = 0; n < maxProperties; n++) {
    audience.properties.add(audience.teamId, { key: `key_${n}`, type: 'string', fallbackValue: null });
  }
  await expect(manage.create(audience.principal, { key: 'more', type: 'string' })).rejects.toThrow('at most');
});
