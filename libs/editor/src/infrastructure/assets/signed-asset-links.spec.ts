import { expect, it } from '@jest/globals';
import { Config } from '#platform/config';
import { SecretBox } from '#platform/secrets';
import { AssetAddresses, CountdownLook } from './asset-addresses.js';
import { SignedAssetLinks } from './signed-asset-links.js';

const [key, otherKey] = ['1'.repeat(64), '2'.repeat(64)];
const linksOf = (...keys: readonly [string, ...string[]]): SignedAssetLinks =>
  new SignedAssetLinks({ values: { publicUrl: 'https://mail.test' } } as Config, new SecretBox(keys[0], keys.slice(1)));
const look: CountdownLook = {
  until: '2027-01-31T09:00:00.000Z',
  background: '#ffffff',
  color: '#112233',
  language: 'de',
};
const nameOf = (links: SignedAssetLinks): string =>
  new AssetAddresses(links.ingredients).countdown(look).replace('https://mail.test/editor/countdown/', '');

it('the address of a countdown says what it shows, also after the key was rotated', () => {
  const name = nameOf(linksOf(key));
  expect(linksOf(key).readCountdown(name)).toEqual(look);
  expect(linksOf(otherKey, key).readCountdown(name)).toEqual(look);
});

it('an address that the service has not made is not read', () => {
  const name = nameOf(linksOf(key));
  expect(linksOf(otherKey).readCountdown(name)).toBeUndefined();
  expect(linksOf(key).readCountdown(name.replace('112233', '112234'))).toBeUndefined();
  expect(linksOf(key).readCountdown('x.png')).toBeUndefined();
});
