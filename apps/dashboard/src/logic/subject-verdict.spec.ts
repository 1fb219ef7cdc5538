import { expect, it } from '@jest/globals';
import { subjectVerdict } from './subject-verdict.js';

const tried = (...scores: (number | null)[]) => scores.map((score) => ({ score, delivered: 100 }));
const won = (index: number, chosen_by: 'clicks' | 'opens' = 'clicks') => ({ index, chosen_by });

it.each([
  ['a clear winner by clicks', tried(3, 9), won(1), 'wonBy.clicks'],
  ['a clear winner by opens', tried(9, 3), won(0, 'opens'), 'wonBy.opens'],
  ['one click more', tried(0, 1, 0), won(1), 'wonBy.clicks'],
  ['all equal', tried(4, 4), won(0), 'equal'],
  ['two of three equal and ahead of the third', tried(2, 7, 7), won(1), 'equal'],
  ['equal ones behind the winner', tried(7, 2, 2), won(0), 'wonBy.clicks'],
  ['nobody clicked any', tried(0, 0), won(0), 'nobody'],
  ['no scores were kept', tried(null, null), won(0), 'nobody'],
  ['not decided, and each has arrived', tried(null, null), null, 'open'],
] as const)('says what a test of subjects has come to: %s', (_name, subjects, winner, expected) => {
  expect(subjectVerdict({ subjects, winner })).toBe(expected);
});

it('says that it is too early where a subject has not arrived anywhere', () => {
  const [first, second] = [
    { score: null, delivered: 12 },
    { score: null, delivered: 0 },
  ];
  expect(subjectVerdict({ subjects: [first, second], winner: null })).toBe('early');
  expect(subjectVerdict({ subjects: [second, second], winner: null })).toBe('early');
});
