import { expect, it } from '@jest/globals';
import { siteOfLane } from '../../domain/lane-name.js';
import { LanesByDestination } from './lanes-by-destination.js';

const region = 'eu-west-1';
const toHosts = new LanesByDestination('mx', ['resend.dev']);

it('names a lane by region, source pool and site', () => {
  expect(toHosts.laneOf({ region, recipientDomain: 'Example.TEST' })).toBe('eu-west-1/default/mx:example.test');
  expect(toHosts.laneOf({ region: 'us-east-1', recipientDomain: 'example.test' })).toBe(
    'us-east-1/default/mx:example.test',
  );
  const toRelay = new LanesByDestination('relay', []);
  expect(toRelay.laneOf({ region, recipientDomain: 'example.test' })).toBe('eu-west-1/default/relay');
});

it('gives test addresses a lane of their own', () => {
  expect(toHosts.laneOf({ region, recipientDomain: 'resend.dev' })).toBe('eu-west-1/default/test-addresses');
});

it('shortens names that are too long, and keeps them distinct', () => {
  const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}`;
  const [one, other] = ['d', 'e'].map((letter) =>
    toHosts.laneOf({ region, recipientDomain: `${long}.${letter}.test` }),
  );
  expect([one?.length, other?.length]).toEqual([200, 200]);
  expect(one).not.toBe(other);
});

it.each([
  ['eu-west-1/default/mx:example.test', 'mx:example.test'],
  ['mx:example.test', 'mx:example.test'],
  ['relay', 'relay'],
])('finds the site in %s', (lane, site) => {
  expect(siteOfLane(lane)).toBe(site);
});
