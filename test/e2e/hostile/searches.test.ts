import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { firstIdAt, newId } from '#kernel';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';

const contacts = 200_000;
const emptySegment = newId();

let hostile: HostileProgram;

beforeAll(async () => {
  hostile = await startHostileProgram();
  const [{ team = '' } = {}] = await hostile.query<{ team: string }>(
    `SELECT id AS team FROM teams WHERE name = 'Attacker'`,
  );
  await hostile.query(
    `INSERT INTO contacts (id, team_id, email, first_name, unsubscribed, created_at, updated_at)
     SELECT overlay($1 placing lpad(to_hex(n), 12, '0') from 25)::uuid, $2, 'a' || n || '@x.test', 'Ada', false, now(), now()
     FROM generate_series(1, $3::int) n`,
    [firstIdAt(new Date()), team, contacts],
  );
  await hostile.query(
    `INSERT INTO segments (id, team_id, name, created_at, updated_at) VALUES ($1, $2, 'Nobody', now(), now())`,
    [emptySegment, team],
  );
}, 120_000);

afterAll(() => hostile.stop());

/** Statuses with the number of their responses. */
async function statusesOf(paths: readonly string[]): Promise<Readonly<Record<number, number>>> {
  const counts: Record<number, number> = {};
  await Promise.all(
    paths.map(async (path) => {
      const response = await hostile.request(path);
      await response.text();
      counts[response.status] = (counts[response.status] ?? 0) + 1;
    }),
  );
  return counts;
}

it.each([
  ['a search that finds none of 200,000 contacts', 100, () => `/segments/${emptySegment}/contacts?search=a`],
  ['a search for emails', 200, () => `/emails?subject=nothing`],
  ['hourly figures of a year', 30, () => `/emails/metrics?granularity=hourly&dimensions=period&start_date=2025-12-01`],
])(
  '%s, %i at once, does not hold up others',
  async (_, count, path) => {
    const calm = await hostile.during(() => statusesOf(Array.from({ length: count }, path)));

    expect(Object.keys(calm.result).filter((status) => !['200', '422', '429', '503'].includes(status))).toEqual([]);
    expect(calm.failures).toEqual([]);
    expect(calm.slowestRequestMs).toBeLessThan(calmMs);
    expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  },
  120_000,
);
