import { expect, it } from '@jest/globals';
import { BulkTurns } from './bulk-turns.js';

function turns(count: number, transactionalWaits: boolean, bulkWaits: boolean, of = new BulkTurns()): string {
  return Array.from({ length: count }, () => (of.isBulks(transactionalWaits, bulkWaits) ? 'b' : 't')).join('');
}

it('bulk mail gets one turn in eight while both wait, however long that lasts', () => {
  expect(turns(24, true, true)).toBe('tttttttb'.repeat(3));
});

it('a kind that waits alone gets every turn', () => {
  expect(turns(10, true, false)).toBe('t'.repeat(10));
  expect(turns(10, false, true)).toBe('b'.repeat(10));
});

it('transactional mail that comes to waiting bulk mail has the next turn', () => {
  const of = new BulkTurns();
  turns(7, true, true, of);
  turns(1, false, true, of);
  expect(turns(1, true, true, of)).toBe('t');
});
