import { afterEach, expect, it } from '@jest/globals';
import { defaultOptions, ParserThreads, ParserThreadsOptions } from './parser-threads.js';
import { ParsingBusyError, UnreadableError } from './parser.js';
import { until } from '../../../../test/support/runner/until.js';
import { obedientParser, Wish } from '../../../../test/support/fakes/obedient.parser.js';

let threads: ParserThreads;

afterEach(() => threads.stop());

/** Starts the threads. One of them has loaded its parser. */
async function start(options: Partial<ParserThreadsOptions> = {}): Promise<void> {
  threads = new ParserThreads({ ...defaultOptions, ...options });
  await ask('first', 'size');
}

function ask(owner: string, wish: Wish['wish'], size = 10): Promise<number | Uint8Array> {
  return threads.run(obedientParser, { owner, bytes: new Uint8Array(size).fill(7), options: { wish } });
}

it('a parser runs in a thread and returns its result', async () => {
  await start();
  expect(await ask('a', 'size', 1_000_000)).toBe(1_000_000);
  const echo = (await ask('a', 'echo', 1_000_000)) as Uint8Array;
  // `toEqual` compares byte by byte, which takes seconds.
  expect(Buffer.compare(echo, new Uint8Array(1_000_000).fill(7))).toBe(0);
});

it('an input that never ends is given up, and the next one is parsed', async () => {
  await start({ maxThreads: 1, deadlineMs: 200 });
  await expect(ask('a', 'loop')).rejects.toThrow(UnreadableError);
  expect(await ask('a', 'size')).toBe(10);
});

it('an input that takes ever more memory is given up, and the next one is parsed', async () => {
  await start({ maxThreads: 1, deadlineMs: 60_000, maxHeapMb: 32 });
  await expect(ask('a', 'fill')).rejects.toMatchObject({ reason: 'took too much memory' });
  expect(await ask('a', 'size')).toBe(10);
});

it('an error of a parser is reported, and its thread continues', async () => {
  await start();
  await expect(ask('a', 'throw')).rejects.toThrow('as told');
  expect(await ask('a', 'size')).toBe(10);
});

it('one owner uses one thread at a time, so that others find a free one', async () => {
  await start({ deadlineMs: 30_000 });
  const hogged = Promise.allSettled([ask('hog', 'loop'), ask('hog', 'loop')]);
  expect(await Promise.race([ask('other', 'size'), hogged])).toBe(10);
  threads.stop();
  expect((await hogged).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

it('owners take turns, even where one of them has many waiting inputs', async () => {
  await start({ maxThreads: 1 });
  const order: string[] = [];
  const note = (owner: string) => (): void => void order.push(owner);
  const hog = Array.from({ length: 10 }, () => ask('hog', 'size').then(note('hog')));
  await Promise.all([...hog, ask('other', 'size').then(note('other'))]);
  expect(order.indexOf('other')).toBeLessThanOrEqual(2);
});

it('an input that has waited too long is refused, and so is an input beyond the maximum', async () => {
  await start({ maxThreads: 1, deadlineMs: 1_000, waitMs: 100, maxWaitingPerOwner: 2 });
  const first = ask('a', 'loop');
  const waiting = [ask('a', 'size'), ask('a', 'size')];
  await expect(ask('a', 'size')).rejects.toThrow(ParsingBusyError);
  for (const one of waiting) await expect(one).rejects.toThrow(ParsingBusyError);
  await expect(first).rejects.toThrow(UnreadableError);
});

it('an idle thread ends, and the next input gets another', async () => {
  await start({ idleMs: 1 });
  await until(() => threads.count === 0);
  expect(await ask('a', 'size')).toBe(10);
});

it('a thread that cannot be started does not use up a turn', async () => {
  let hasRoom = false;
  const options = {
    ...defaultOptions,
    maxThreads: 1,
    waitMs: 100,
    // Read when the thread is created.
    get maxHeapMb(): number {
      if (!hasRoom) throw new Error('the system has no room for a thread');
      return 64;
    },
  };
  threads = new ParserThreads(options);
  for (let time = 0; time < 2; time++) await expect(ask('a', 'size')).rejects.toThrow('no room');
  hasRoom = true;
  expect(await ask('a', 'size')).toBe(10);
});
