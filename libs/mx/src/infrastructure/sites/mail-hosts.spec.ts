import { expect, it } from '@jest/globals';
import { inOrderOfPreference, interleaved, siteOf } from './mx-lookup.js';

const host = (name: string, preference: number) => ({ name, preference, addresses: [] });

it('hosts are sorted by preference, and equal ones are in random order', () => {
  const hosts = [host('c', 20), host('a', 10), host('b', 10)];
  const randoms = [0.5, 0.9, 0.1];
  let call = 0;

  expect(inOrderOfPreference(hosts, () => randoms[call++] ?? 0).map(({ name }) => name)).toEqual(['b', 'a', 'c']);
  expect(new Set(Array.from({ length: 50 }, () => inOrderOfPreference(hosts)[0]?.name))).toEqual(new Set(['a', 'b']));
});

it('address families alternate, IPv6 first', () => {
  expect(interleaved(['::1', '::2'], ['1.1.1.1'])).toEqual(['::1', '1.1.1.1', '::2']);
  expect(interleaved([], ['1.1.1.1', '2.2.2.2'])).toEqual(['1.1.1.1', '2.2.2.2']);
});

it('domains with the same hosts share a site, whatever the order and preference', () => {
  expect(siteOf([host('a', 1), host('b', 2)])).toBe(siteOf([host('b', 1), host('a', 1)]));
});
