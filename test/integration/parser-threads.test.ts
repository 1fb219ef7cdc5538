import { afterEach, expect, it } from '@jest/globals';
import { ParserThreads, ParsingBusyError, UnreadableError } from '#platform/parsing';
import { defaultOptions, ParserThreadsOptions } from '../../libs/platform/src/parsing/parser-threads.js';
import { obedientParser, Wish } from '../support/parsers/obedient.parser.js';

let threads: ParserThreads;

afterEach(() => threads.stop());

function start(options: Partial<ParserThreadsOptions> = {}): void {
  threads = new ParserThreads({ ...defaultOptions, ...options });
}

function ask(owner: string, wish: Wish['wish'], size = 10): Promise<number | Uint8Array> {
  return threads.run(obedientParser, { owner, bytes: new Uint8Array(size).fill(7), options: { wish } });
}

it('a parser runs in a thread and hands back what it made', async () => {
  start();
  expect(await ask('a', 'size', 1_000_000)).toBe(1_000_000);
  expect(await ask('a', 'echo', 1_000_000)).toEqual(new Uint8Array(1_000_000).fill(7));
});

it('an input that takes for ever is given up, and the next one is parsed', async () => {
  start({ maxThreads: 1, deadlineMs: 200 });
  const timers = setInterval(() => undefined, 1);
  await expect(ask('a', 'loop')).rejects.toThrow(UnreadableError);
  clearInterval(timers);
  start();
  expect(await ask('a', 'size')).toBe(10);
});

it('an input that takes ever more memory is given up, and the next one is parsed', async () => {
  start({ maxThreads: 1, deadlineMs: 60_000 });
  await expect(ask('a', 'fill')).rejects.toMatchObject({ reason: 'took too much memory' });
  expect(await ask('a', 'size')).toBe(10);
});

it('a parser that fails tells why, and its thread goes on', async () => {
  start();
  await expect(ask('a', 'throw')).rejects.toThrow('as told');
  expect(await ask('a', 'size')).toBe(10);
});

it('one owner has one thread, so that the others find one', async () => {
  start({ deadlineMs: 1_000 });
  const hogged = Promise.allSettled([ask('hog', 'loop'), ask('hog', 'loop'), ask('hog', 'loop')]);
  const started = performance.now();
  expect(await ask('other', 'size')).toBe(10);
  expect(performance.now() - started).toBeLessThan(900);
  expect((await hogged).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

it('owners take turns, however many inputs one of them has waiting', async () => {
  start({ maxThreads: 1 });
  const order: string[] = [];
  const note = (owner: string) => (): void => void order.push(owner);
  const hog = Array.from({ length: 10 }, () => ask('hog', 'size').then(note('hog')));
  await Promise.all([...hog, ask('other', 'size').then(note('other'))]);
  expect(order.indexOf('other')).toBeLessThanOrEqual(2);
});

it('what has waited too long is refused, and so is one input too many', async () => {
  start({ maxThreads: 1, deadlineMs: 1_000, waitMs: 100, maxWaitingPerOwner: 2 });
  const first = ask('a', 'loop');
  const waiting = [ask('a', 'size'), ask('a', 'size')];
  await expect(ask('a', 'size')).rejects.toThrow(ParsingBusyError);
  for (const one of waiting) await expect(one).rejects.toThrow(ParsingBusyError);
  await expect(first).rejects.toThrow(UnreadableError);
});

it('a thread that nobody needs ends, and the next input gets another', async () => {
  start({ idleMs: 1 });
  expect(await ask('a', 'size')).toBe(10);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await ask('a', 'size')).toBe(10);
});
