import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ScannedMessage } from './ports/scanners.port.js';
import { ScanArrival } from './scan-arrival.js';

const maxScans = 4;
const spam = { score: 1, requiredScore: 15, isSpam: false, symbols: {} };
const clean = { result: 'clean' } as const;
let underWay: string[];
let finish: Map<string, () => void>;
let scans: ScanArrival;

beforeEach(() => {
  jest.useFakeTimers();
  underWay = [];
  finish = new Map();
  const scan = ({ id }: ScannedMessage) =>
    new Promise<typeof clean>((resolve) => {
      underWay.push(id);
      finish.set(id, () => {
        underWay.splice(underWay.indexOf(id), 1);
        resolve(clean);
      });
    });
  scans = new ScanArrival({ score: async () => spam }, { scan }, { maxScans, refusals: {} as never });
});
afterEach(() => void jest.useRealTimers());

const begin = (id: string, owner: string) => scans.scan({ id } as ScannedMessage, [`team ${owner}`]);
/** Lets everything happen that needs no time. */
const settle = () => jest.advanceTimersByTimeAsync(0);

it('a message has the answers of both', async () => {
  const scanned = begin('1', 'a');
  await settle();
  finish.get('1')?.();
  expect(await scanned).toEqual({ spam, virus: clean });
});

it('one team has half of the places, and the others are free for the mail of other teams', async () => {
  for (let id = 1; id <= 5; id++) void begin(`flood ${id}`, 'loud');
  void begin('quiet', 'quiet');
  await settle();
  expect(underWay).toEqual(['flood 1', 'flood 2', 'quiet']);
  finish.get('flood 1')?.();
  await settle();
  expect(underWay).toEqual(['flood 2', 'quiet', 'flood 3']);
});

it('no more messages than the operator allows are scanned at once', async () => {
  for (const team of 'abcdef') void begin(team, team);
  await settle();
  expect(underWay).toEqual(['a', 'b', 'c', 'd']);
});

it('a message whose turn does not come in time is accepted unscanned, and leaves its place in the queue', async () => {
  void begin('1', 'a');
  void begin('2', 'a');
  const late = begin('3', 'a');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(await late).toEqual({ spam, virus: { result: 'unscanned' } });
  finish.get('1')?.();
  await settle();
  expect(underWay).toEqual(['2']);
});
