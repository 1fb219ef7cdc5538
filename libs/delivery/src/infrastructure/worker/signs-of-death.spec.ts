import { expect, it } from '@jest/globals';
import { signsOfDeath } from './signs-of-death.js';

it.each([
  ['nobody is dead to a worker that has just come back itself', 9_999, undefined],
  ['a silent worker that has left the database is', 10_000, { silentForMs: 10_000, frozenForMs: undefined }],
  ['one whose session cannot tell gets more time after an outage', 29_999, { silentForMs: 10_000 }],
  ['and is dead after a minute of silence', 30_000, { silentForMs: 10_000, frozenForMs: 60_000 }],
])('%s', (_, steadyForMs, signs) => {
  expect(signsOfDeath(steadyForMs)).toEqual(signs);
});
