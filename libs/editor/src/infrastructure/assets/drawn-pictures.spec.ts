import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Config } from '#platform/config';
import { SecretBox } from '#platform/secrets';
import { TestClock } from '../../../../../test/support/fakes/test-clock.js';
import { AssetAddresses } from './asset-addresses.js';
import { DrawnPictures } from './drawn-pictures.js';
import { SignedAssetLinks } from './signed-asset-links.js';

const config = { values: { publicUrl: 'https://mail.test' } } as Config;
const links = new SignedAssetLinks(config, new SecretBox('1'.repeat(64)));
const addresses = new AssetAddresses(links.ingredients);
const [crowd, reader] = ['192.0.2.1', '198.51.100.1'];
let pictures: DrawnPictures;

beforeEach(() => {
  pictures = new DrawnPictures(links, new TestClock());
});
afterEach(() => void jest.useRealTimers());

function nameOf(no: number): string {
  const until = new Date(Date.UTC(2_030, 0, 1, 0, 0, no)).toISOString();
  const look = { until, background: '#ffffff', color: '#112233', language: 'de' };
  return addresses.countdown(look).replace('https://mail.test/editor/countdown/', '');
}

it('the pictures that one network asks for do not hold up those of others', async () => {
  await pictures.countdown(nameOf(1_000), reader);
  const done: string[] = [];
  const many = Array.from({ length: 40 }, (_, no) =>
    pictures.countdown(nameOf(no), crowd.replace(/1$/, String(no))).then(() => done.push('crowd')),
  );
  // One of them is the picture that the crowd asked for last.
  await Promise.all([500, 39].map((no) => pictures.countdown(nameOf(no), reader).then(() => done.push('reader'))));
  expect(done.filter((who) => who === 'crowd').length).toBeLessThan(5);
  await Promise.all(many);
  expect(done).toHaveLength(42);
});

it('a picture is drawn once for all who ask within half a minute', async () => {
  const [one, other] = await Promise.all([crowd, reader].map((client) => pictures.countdown(nameOf(1), client)));
  expect(one).toBeDefined();
  expect(other).toBe(one);
  expect(await pictures.countdown(nameOf(1), reader)).toBe(one);
});

it('a picture whose turn does not come in time is refused, and may be asked for again', async () => {
  await pictures.countdown(nameOf(0), reader);
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  const first = pictures.countdown(nameOf(1), crowd);
  const refused = expect(pictures.countdown(nameOf(2), crowd)).rejects.toMatchObject({ kind: 'unavailable' });
  jest.advanceTimersByTime(5_000);
  await refused;
  expect(await first).toBeDefined();
  expect(await pictures.countdown(nameOf(2), crowd)).toBeDefined();
});
