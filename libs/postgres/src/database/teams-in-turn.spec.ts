import { expect, it } from '@jest/globals';
import type { Statement } from './statement.js';
import { Turn } from './teams-in-turn.js';

const teams = Array.from({ length: 1_200 }, (_, at) => `00000000-0000-0000-0001-${String(at).padStart(12, '0')}`);

/** Looks at 500 teams at most, as the statements do. Notes where each look begins. */
function rig(isDue: (team: string) => boolean) {
  const begun: number[] = [];
  const query = async ({ values: [after] = [] }: Statement): Promise<never[]> => {
    const seen = teams.filter((team) => team > (after as string)).slice(0, 500);
    begun.push(teams.indexOf(seen[0] ?? ''));
    return [{ due: seen.filter(isDue), looked: seen.length, last: seen.at(-1) ?? null }] as never[];
  };
  return { begun, database: { query } };
}

it('a search that finds nothing ends when it has seen all teams, wherever it began', async () => {
  const turn = new Turn({ table: 'work' });
  const idle = rig(() => false);
  expect(await turn.next(10, idle.database)).toEqual([]);
  expect(idle.begun).toEqual([0, 500, 1_000]);
  expect(await turn.next(10, rig((team) => team === teams[700]).database)).toEqual([teams[700]]);
  const again = rig(() => false);
  expect(await turn.next(10, again.database)).toEqual([]);
  expect(again.begun).toEqual([1_000, 0, 500]);
});

it('a search goes on behind the last team of the one before it', async () => {
  const turn = new Turn({ table: 'work' });
  const { database } = rig(() => true);
  expect(await turn.next(2, database)).toEqual(teams.slice(0, 2));
  expect(await turn.next(1_000, database)).toEqual(teams.slice(2, 502));
  expect(await turn.next(1_000, database)).toEqual(teams.slice(502, 1_002));
  expect(await turn.next(1_000, database)).toEqual(teams.slice(1_002));
  expect(await turn.next(1, database)).toEqual(teams.slice(0, 1));
});
