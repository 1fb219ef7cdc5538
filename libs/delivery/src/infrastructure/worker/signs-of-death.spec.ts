import { expect, it } from '@jest/globals';
import { signsOfDeath } from './delivery-worker.js';

it.each([
  ['after its own outage a worker declares no other dead', 9_999, undefined],
  ['a silent worker whose session has ended is dead', 10_000, { silentForMs: 10_000, frozenForMs: undefined }],
  ['a silent worker with an open session gets more time after an outage', 29_999, { silentForMs: 10_000 }],
  ['a silent worker with an open session is dead after a minute', 30_000, { silentForMs: 10_000, frozenForMs: 60_000 }],
])('%s', (_, steadyForMs, signs) => {
  expect(signsOfDeath(steadyForMs)).toEqual(signs);
});
