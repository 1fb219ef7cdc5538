import { expect, it } from '@jest/globals';
import { firstRelease, zonesPlan } from './zones.js';

const local = { property: 'zone', timeZone: 'Europe/Berlin' };
const long = new Date('2026-01-01T00:00:00Z');

function releaseIn(zone: string, at: string, names: readonly string[] = [zone], now = long): string | undefined {
  const plan = zonesPlan(local, new Date(at), names, now);
  if (plan.kind !== 'zones') return undefined;
  return plan.releases[plan.waveOf.get(zone.toLowerCase()) ?? plan.otherWave]?.toISOString();
}

it('the same time on the wall is another moment in each zone', () => {
  // 10:00 in Berlin, in summer time.
  const at = '2026-07-01T08:00:00.000Z';
  expect(releaseIn('Europe/Berlin', at)).toBe(at);
  expect(releaseIn('America/Los_Angeles', at)).toBe('2026-07-01T17:00:00.000Z');
  expect(releaseIn('Asia/Kolkata', at)).toBe('2026-07-01T04:30:00.000Z');
  expect(releaseIn('Pacific/Kiritimati', at)).toBe('2026-06-30T20:00:00.000Z');
  expect(releaseIn('Middle/Earth', at, ['Middle/Earth'])).toBe(at);
  expect(firstRelease(new Date(at), local).toISOString()).toBe('2026-06-30T20:00:00.000Z');
});

it('what has passed is released at once', () => {
  const now = new Date('2026-07-01T07:00:00Z');
  expect(releaseIn('Asia/Kolkata', '2026-07-01T08:00:00Z', ['Asia/Kolkata'], now)).toBe(now.toISOString());
});

it('a time that the clock leaves out comes behind the gap, and one that comes twice is the first', () => {
  // New York puts its clocks forward at 02:00 on 8 March 2026, and back at 02:00 on 1 November.
  expect(releaseIn('America/New_York', '2026-03-08T01:30:00Z')).toBe('2026-03-08T07:30:00.000Z');
  expect(releaseIn('America/New_York', '2026-11-01T00:30:00Z')).toBe('2026-11-01T05:30:00.000Z');
});

it('zones with the same clock share a wave, and waves are in the order of time', () => {
  const plan = zonesPlan(local, new Date('2026-07-01T08:00:00Z'), ['Europe/Paris', 'Asia/Tokyo'], long);
  if (plan.kind !== 'zones') throw new Error('unreachable');
  expect(plan.releases).toHaveLength(2);
  expect(plan.waveOf.get('europe/paris')).toBe(plan.waveOf.get('europe/berlin'));
  expect(plan.waveOf.get('asia/tokyo')).toBe(0);
});
