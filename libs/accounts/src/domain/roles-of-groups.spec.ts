import { expect, it } from '@jest/globals';
import { rolesOfGroups } from './roles-of-groups.js';

const mapping = { devs: { shop: 'developer', blog: 'viewer' }, admins: { shop: 'admin' } } as const;

it('a group gives a role in each of its teams, and the highest of several counts', () => {
  expect([...rolesOfGroups(mapping, ['devs', 'others'])]).toEqual([
    ['shop', 'developer'],
    ['blog', 'viewer'],
  ]);
  expect(rolesOfGroups(mapping, ['admins', 'devs']).get('shop')).toBe('admin');
  expect(rolesOfGroups(mapping, 'admins').get('shop')).toBe('admin');
});

it.each([[undefined], [null], [[]], [[['admins']]], [{ admins: true }], [['__proto__', 'constructor', 1]]])(
  'gives nothing for %j',
  (groups) => expect(rolesOfGroups(mapping, groups).size).toBe(0),
);
