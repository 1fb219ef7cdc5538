import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryErasures, ListedData } from '../../../../test/support/fakes/in-memory-privacy.js';
import { CarryOutErasures } from './carry-out-erasures.use-case.js';

const teamId = newId();
let erasures: InMemoryErasures;
let clock: FakeClock;
let data: ListedData;
let id: string;

beforeEach(async () => {
  erasures = new InMemoryErasures();
  clock = new FakeClock();
  data = new ListedData({ contacts: ['ada'], emails: ['first', 'second'], logs: ['one'] });
  id = newId();
  const now = clock.now();
  await erasures.insert(
    {
      id,
      teamId,
      addressHash: 'hash',
      status: 'pending',
      counts: {},
      isWaiting: false,
      actor: { kind: 'service' },
      createdAt: now,
      completedAt: null,
    },
    'ada@x.test',
    now,
  );
});

/** One portion, in a process of its own. Returns whether there was anything to erase. */
async function step(): Promise<boolean> {
  const process = new CarryOutErasures(erasures, data, clock);
  const erasure = await process.claim();
  if (erasure !== undefined) await process.work(erasure);
  return erasure !== undefined;
}

async function run(): Promise<void> {
  while (await step());
}

it('goes through every list portion by portion, continues where another process stopped, and forgets the address', async () => {
  await step();
  await step();
  expect(erasures.rows.get(id)).toMatchObject({ holder: 'emails', position: '1' });
  await run();
  expect(data.erased).toEqual(['contacts: ada', 'emails: first', 'emails: second', 'logs: one']);
  expect(erasures.rows.get(id)).toMatchObject({
    status: 'completed',
    counts: { contacts: 1, emails: 2, logs: 1 },
    completedAt: clock.now(),
    address: null,
  });
});

it('waits for what is still in use, begins again and completes', async () => {
  data.waiting = 'emails';
  await run();
  expect(erasures.rows.get(id)).toMatchObject({ status: 'pending', isWaiting: true, holder: null });
  data.waiting = undefined;
  await run();
  expect(data.erased).toEqual(['contacts: ada', 'logs: one']);
  clock.advance(10 * 60_000);
  await run();
  expect(erasures.rows.get(id)).toMatchObject({ status: 'completed', isWaiting: false });
  expect(data.erased.slice(2)).toEqual(['contacts: ada', 'emails: first', 'emails: second', 'logs: one']);
});

it('one that fails makes way for the others, and later continues where it was', async () => {
  const first = erasures.rows.get(id);
  if (first === undefined) throw new Error('not stored');
  await step();
  await step();
  const other = { ...first, id: newId() };
  await erasures.insert(other, 'eve@x.test', clock.now());
  data.failing = 'emails';
  await expect(run()).rejects.toThrow('emails cannot be erased');
  expect(erasures.rows.get(id)).toMatchObject({ status: 'pending', holder: 'emails', position: '1' });
  data.failing = undefined;
  await run();
  expect([erasures.rows.get(id)?.status, erasures.rows.get(other.id)?.status]).toEqual(['pending', 'completed']);
  clock.advance(10 * 60_000);
  await run();
  expect(erasures.rows.get(id)).toMatchObject({ status: 'completed', counts: { contacts: 1, emails: 2, logs: 1 } });
});
