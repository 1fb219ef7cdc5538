import { describe, expect, it } from '@jest/globals';
import { ConnectionPlaces, NoPlace, Place, PlaceHolder, PlaceLimits } from './connection-places.js';

const limits: PlaceLimits = { total: 10, perClient: 3, perNetwork: 6, perTeam: 4 };

class TestHolder implements PlaceHolder {
  isEvicted = false;
  constructor(readonly isIdle = true) {}
  evict(): void {
    this.isEvicted = true;
  }
}

const idle = (): TestHolder => new TestHolder();
const held = (place: Place | NoPlace): Place => {
  if (typeof place === 'string') throw new Error(place);
  return place;
};

/** Takes `count` places, each for a different client. */
function fill(places: ConnectionPlaces, network: string, count: number, holder = idle): TestHolder[] {
  return Array.from({ length: count }, (_, index) => {
    const one = holder();
    held(places.take(`${network}.${index}`, network, one));
    return one;
  });
}

describe('places for connections', () => {
  it('are limited per client, and free again once released', () => {
    const places = new ConnectionPlaces(limits);
    const [first] = [1, 2, 3].map(() => held(places.take('a', 'n', idle())));
    expect(places.take('a', 'n', idle())).toBe('client');
    expect(places.take('b', 'n', idle())).toBeInstanceOf(Place);
    first?.release();
    first?.release();
    expect(places.take('a', 'n', idle())).toBeInstanceOf(Place);
    expect(places.count).toBe(4);
  });

  it('are limited per network', () => {
    const places = new ConnectionPlaces(limits);
    fill(places, 'n', 6);
    expect(places.take('another', 'n', idle())).toBe('network');
    expect(places.take('another', 'm', idle())).toBeInstanceOf(Place);
  });

  it('belong to the team after the login, with the limit of the team', () => {
    const places = new ConnectionPlaces(limits);
    const taken = ['a', 'b', 'c', 'd', 'e'].map((client) => held(places.take(client, 'n', idle())));
    expect(taken.map((place) => place.assignToTeam('t'))).toEqual([true, true, true, true, false]);
    fill(places, 'n', 5);
    expect(places.take('z', 'n', idle())).toBe('network');
  });

  it('are taken for a new client from the owner with the most places, the oldest idle one first', () => {
    const places = new ConnectionPlaces(limits);
    const busy = new TestHolder(false);
    held(places.take('busy', 'large', busy));
    const large = fill(places, 'large', 5);
    fill(places, 'small', 4);
    expect(places.take('new', 'newcomer', idle())).toBeInstanceOf(Place);
    expect([busy, ...large].map(({ isEvicted }) => isEvicted)).toEqual([false, true, false, false, false, false]);
    expect(places.count).toBe(10);
  });

  it('are not taken from an owner with equally many, nor from busy connections', () => {
    const equal = new ConnectionPlaces(limits);
    fill(equal, 'one', 5);
    fill(equal, 'two', 5);
    expect(equal.take('new', 'one', idle())).toBe('total');
    const busy = new ConnectionPlaces(limits);
    fill(busy, 'one', 5, () => new TestHolder(false));
    fill(busy, 'two', 5, () => new TestHolder(false));
    expect(busy.take('new', 'three', idle())).toBe('total');
  });
});
