import { expect, it } from '@jest/globals';
import { causeOf, Suspect } from './cause.js';

const suspect = (kind: Suspect['kind'], bad: number, all: number): Suspect => ({
  kind,
  id: kind,
  name: kind,
  bad,
  all,
});

it('names what explains the bad outcomes and is certainly worse than the rest', () => {
  const suspects = [suspect('template', 52, 900), suspect('broadcast', 48, 500), suspect('import', 10, 20)];
  expect(causeOf({ bad: 54, all: 1_000, suspects })).toMatchObject({
    kind: 'broadcast',
    bad: 48,
    all: 500,
    percent: expect.closeTo(9.6),
    othersPercent: expect.closeTo(1.2),
  });
});

it('an import of bad addresses is named rather than the broadcast that went to it', () => {
  const suspects = [suspect('broadcast', 100, 1_000), suspect('segment', 100, 1_000), suspect('import', 98, 110)];
  expect(causeOf({ bad: 100, all: 1_200, suspects })?.kind).toBe('import');
});

it('where all mail has something in common it is named, because there is nothing else', () => {
  expect(causeOf({ bad: 60, all: 1_000, suspects: [suspect('broadcast', 60, 1_000)] })?.kind).toBe('broadcast');
});

it('names nothing where bad outcomes are spread, few, or explained by less than half', () => {
  expect(causeOf({ bad: 50, all: 1_000, suspects: [suspect('broadcast', 26, 500)] })).toBeUndefined();
  expect(causeOf({ bad: 4, all: 100, suspects: [suspect('broadcast', 4, 10)] })).toBeUndefined();
  expect(causeOf({ bad: 100, all: 1_000, suspects: [suspect('import', 40, 50)] })).toBeUndefined();
  expect(causeOf({ bad: 0, all: 0, suspects: [] })).toBeUndefined();
});
