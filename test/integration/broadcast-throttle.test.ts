import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { FanOutBroadcasts } from '../../libs/broadcasts/src/application/send-broadcasts.use-case.js';
import { BroadcastSteps } from '../support/builders/broadcast-steps.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { until } from '../support/runner/until.js';

/** Two programs on one database, each with its own worker. */
let programs: TestProgram[];
let database: Database;
let steps: BroadcastSteps;
const clock = new TestClock();

beforeAll(async () => {
  const start = (shared?: TestProgram): Promise<TestProgram> => {
    const adapters = new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()).use(Clock, clock);
    return startProgram(inOneProcess, adapters, shared?.database);
  };
  const first = await start();
  programs = [first, await start(first)];
  database = first.postrider.app.get(Database);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  steps = new BroadcastSteps(database, team?.id ?? '');
});

afterAll(async () => {
  for (const program of [...programs].reverse()) await program.stop();
});

const accepted = async (id: string): Promise<number> => (await steps.progressOf(id)).accepted ?? 0;

/** Lets both workers do all that there is to do now, and says how many emails there are then. */
async function settled(id: string): Promise<number> {
  const workers = programs.map(({ postrider }) => postrider.app.get(FanOutBroadcasts, { strict: false }));
  for (;;) {
    const steps = await Promise.all(workers.map((worker) => worker.step()));
    if (!steps.includes(true)) return accepted(id);
  }
}

it('a throttled broadcast goes at its pace, over two workers, a pause and contacts that get nothing', async () => {
  const segmentId = await steps.segment();
  const contacts = await steps.contacts(segmentId, 60, 'paced');
  await steps.unsubscribe(contacts.slice(0, 20));
  const id = await steps.start({ segmentId, options: { throttlePerHour: 3_600 } });
  // One a second, and up to two seconds ahead.
  await hasSent(id, 1, 3);
  clock.advance(5_000);
  await hasSent(id, 6, 8);

  await steps.setStatus(id, 'paused');
  clock.advance(3_600_000);
  await steps.setStatus(id, 'queued');
  // Of the hour of the pause only some seconds are made up for.
  await hasSent(id, 12, 20);

  clock.advance(8_000);
  await hasSent(id, 20, 28);
  // A step that is under way while the clock moves gets none of that time: the pace saves up two seconds at most.
  await until(async () => {
    clock.advance(1_000);
    await settled(id);
    return (await steps.stateOf(id)).status === 'sent';
  });
  expect(await steps.progressOf(id)).toMatchObject({ planned: 60, accepted: 40, skipped_unsubscribed: 20 });
  expect(new Set(await steps.addressees(id)).size).toBe(40);
});

/** A worker of the programs may be in the middle of a step. */
async function hasSent(id: string, least: number, most: number): Promise<void> {
  await until(async () => (await settled(id)) >= least);
  expect(await settled(id)).toBeLessThanOrEqual(most);
}
