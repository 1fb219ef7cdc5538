import { expect, it } from '@jest/globals';
import { LaneSlots } from './lane-window.js';

/** Slots whose takers are written down in the order of their turns. */
class Turns {
  readonly taken: string[] = [];
  readonly slots: LaneSlots;

  constructor(size: number) {
    this.slots = new LaneSlots(size);
  }

  async ask(kind: 'transactional' | 'bulk', count: number): Promise<void> {
    for (let n = 0; n < count; n++)
      void Promise.resolve(this.slots[kind].take('team')).then(() => this.taken.push(kind));
    await settled();
  }

  /** Ends the delivery that began first, again and again. */
  async end(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      this.slots[this.taken[this.ended++] as 'transactional' | 'bulk'].release();
      await settled();
    }
  }

  of(kind: string): number {
    return this.taken.filter((taken) => taken === kind).length;
  }

  private ended = 0;
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

it('a transactional message is handed over at once beside any amount of bulk mail', async () => {
  const turns = new Turns(30);
  await turns.ask('bulk', 5_000);
  expect(turns.taken).toHaveLength(26);
  await turns.ask('transactional', 4);
  expect(turns.of('transactional')).toBe(4);
});

it('bulk mail gets an eighth beside endless transactional mail, and all turns without it', async () => {
  const turns = new Turns(8);
  await turns.ask('transactional', 900);
  await turns.ask('bulk', 900);
  await turns.end(800);
  expect(turns.of('bulk')).toBe(100);
  await turns.end(993);
  expect([turns.of('transactional'), turns.of('bulk')]).toEqual([900, 900]);
});

it('with few slots none is kept free, and transactional mail has the next one', async () => {
  const turns = new Turns(1);
  await turns.ask('bulk', 3);
  await turns.ask('transactional', 1);
  expect(turns.taken).toEqual(['bulk']);
  await turns.end(3);
  expect(turns.taken).toEqual(['bulk', 'transactional', 'bulk', 'bulk']);
});

it("one team's bulk mail waits behind the share of the others", async () => {
  const slots = new LaneSlots(1);
  const taken: string[] = [];
  const ask = (team: string): void => void Promise.resolve(slots.bulk.take(team)).then(() => taken.push(team));
  for (let n = 0; n < 10; n++) ask('early');
  ask('late');
  ask('late');
  for (let n = 0; n < 5; n++) {
    await settled();
    slots.bulk.release();
  }
  await settled();
  expect(taken).toEqual(['early', 'early', 'late', 'early', 'late', 'early']);
});
