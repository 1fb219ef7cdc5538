import { beforeEach, expect, it } from '@jest/globals';
import type { MovedDomain, PlaceDomains } from '#domains';
import { RegionPresence } from '../domain/stand-ins.js';
import { KeepRegions } from './keep-regions.use-case.js';
import { MovedMail, RegionDesk } from './ports/lanes.port.js';
import { ServedRegions } from '../domain/lane-name.js';

const patienceMs = 60_000;
const movedAt = new Date('2026-11-26T12:00:00Z');
const later = (seconds: number): Date => new Date(movedAt.getTime() + seconds * 1_000);
const domain: MovedDomain = { id: 'd', teamId: 't', sendingRegion: 'b', movedAt };
const nothing: MovedMail = { found: [], isCut: false, moved: 0, lookedAt: undefined };

class FakeDesk extends RegionDesk {
  known: readonly Omit<RegionPresence, 'workers'>[] = [];
  areServed = false;
  readonly answers: MovedMail[] = [];
  readonly asked: string[] = [];

  async presences(): Promise<{ presences: RegionPresence[]; areServed: boolean }> {
    return { presences: this.known.map((presence) => ({ ...presence, workers: 1 })), areServed: this.areServed };
  }

  moveWaiting(_: readonly MovedDomain[], after: string): Promise<MovedMail> {
    this.asked.push(after);
    return Promise.resolve(this.answers.shift() ?? nothing);
  }
}

let desk: FakeDesk;
let placed: [region: string, standIn: string | null][];
let moved: readonly MovedDomain[];
let settled: MovedDomain[];

function keeper(own: string | undefined): KeepRegions {
  const domains = {
    standIn: async (region: string, standIn: string | null) => placed.push([region, standIn]),
    moved: async () => moved,
    settled: async (domains: readonly MovedDomain[]) => void settled.push(...domains),
  };
  return new KeepRegions(desk, domains as unknown as PlaceDomains, new ServedRegions(own, ['a', 'b'], patienceMs));
}

beforeEach(() => {
  desk = new FakeDesk();
  placed = [];
  moved = [domain];
  settled = [];
});

it('a region stands in for one that is silent, as soon as this worker has reached the database for long enough', async () => {
  desk.known = [
    { name: 'a', silentMs: patienceMs, steadyMs: 0 },
    { name: 'b', silentMs: 0, steadyMs: 0 },
  ];
  expect(await keeper('b').standIn(patienceMs - 1)).toEqual([]);
  expect(await keeper('b').standIn(patienceMs)).toEqual([{ region: 'a', standIn: 'b' }]);
  expect(placed).toEqual([['a', 'b']]);
});

it('nobody stands in where a worker sends for all regions', async () => {
  expect(await keeper(undefined).standIn(patienceMs)).toEqual([]);
  desk.areServed = true;
  expect(await keeper('b').standIn(patienceMs)).toEqual([]);
});

it('moves what waits, lane after lane, and again from a lane in which more may wait', async () => {
  const found = { ...nothing, found: ['d'], lookedAt: 'm' };
  desk.answers.push({ ...found, moved: 2 }, found, nothing);
  moved = [domain, { ...domain, id: 'other' }];
  await keeper('b').moveWaiting(later(121));
  expect(desk.asked).toEqual(['', '', 'm']);
  // Mail in hand of the first is still in the former region.
  expect(settled.map(({ id }) => id)).toEqual(['other']);
  settled = [];
  desk.answers.push({ ...nothing, isCut: true });
  await keeper('b').moveWaiting(later(121));
  expect(settled).toEqual([]);
});

it('a domain has settled when nothing was found, and nobody can have put mail into its former region since', async () => {
  await keeper('b').moveWaiting(later(120));
  expect(settled).toEqual([]);
  await keeper('b').moveWaiting(later(121));
  expect(settled).toEqual([domain]);
});

it('looks at no lane where nothing has moved', async () => {
  moved = [];
  await keeper('b').moveWaiting(later(60));
  expect(desk.asked).toEqual([]);
});
