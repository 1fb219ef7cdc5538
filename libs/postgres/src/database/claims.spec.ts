import { expect, it } from '@jest/globals';
import { claimed, lockRows, lockRowsOfTeams, placesOf } from './claims.js';

it('rows are locked in the order of the caller, without those that others have locked', () => {
  expect(lockRows('id', 'FROM work ORDER BY due_at LIMIT 1')).toBe(
    'SELECT id FROM work ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED',
  );
  expect(lockRows('w.id', 'FROM work w JOIN owners o USING (id)', 'w')).toMatch(/ FOR UPDATE OF w SKIP LOCKED$/);
});

it('a key of one column is compared with an array, and one of several with rows', () => {
  expect(claimed('id', 'FROM work LIMIT 1')).toBe(
    'id = ANY (ARRAY(SELECT id FROM work LIMIT 1 FOR UPDATE SKIP LOCKED))',
  );
  expect(claimed('id, no', 'FROM work w, owners', 'w')).toBe(
    '(id, no) IN (SELECT w.id, w.no FROM work w, owners FOR UPDATE OF w SKIP LOCKED)',
  );
});

it('each team has the limit of its places', () => {
  expect(lockRowsOfTeams('id', 'FROM work WHERE team_id = t.team_id ORDER BY id')).toContain(
    'ORDER BY id LIMIT greatest(t.places, 0) FOR UPDATE SKIP LOCKED',
  );
});

it('teams get equal parts, at least one place, and no more than they may still hold', () => {
  expect(placesOf(['a', 'b', 'c'], 10)).toEqual([3, 3, 3]);
  expect(placesOf(['a', 'b', 'c'], 2)).toEqual([1, 1, 1]);
  expect(
    placesOf(
      ['a', 'b', 'c'],
      30,
      new Map([
        ['a', 3],
        ['b', 9],
      ]),
      4,
    ),
  ).toEqual([1, -5, 4]);
});
