import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../../support/programs/hostile-program.js';
import { until } from '../../../support/runner/until.js';

const waiting = 50_000;
const moves = 40;
const [home, away] = ['us-east-1', 'eu-west-1'];

let hostile: HostileProgram;

beforeAll(async () => {
  hostile = await startHostileProgram({ REGIONS: `${home},${away}` });
}, 120_000);

afterAll(() => hostile.stop());

it('a domain with much mail that moves to and fro does not hold up another team', async () => {
  const { data } = (await (await hostile.request('/domains')).json()) as { data: [{ id: string }] };
  const [{ id }] = data;
  await hostile.query(
    `INSERT INTO outbound_queue (email_id, recipient_no, size, due_at, queued_at, lane, address, team_id, domain_id)
     SELECT uuidv7(n * interval '1 millisecond'), 0, 10, now() + interval '1 day', now(),
            $2 || '/default/mx:later' || n % 500 || '.test', 'a@later.test', team_id, id
     FROM domains, generate_series(1, ${waiting}) n WHERE id = $1`,
    [id, home],
  );
  const placed = async (region: string): Promise<number> => {
    const [row] = await hostile.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM outbound_queue WHERE domain_id = $1 AND lane LIKE $2 || '/%'`,
      [id, region],
    );
    return row?.count ?? 0;
  };
  const moveTo = async (region: string): Promise<number> =>
    (await hostile.request(`/domains/${id}`, { method: 'PATCH', body: JSON.stringify({ region }) })).status;

  const { result, slowestRequestMs, slowestDeliveryMs, failures } = await hostile.during(async () => {
    const statuses: number[] = [];
    for (let n = 0; n < moves; n++) statuses.push(await moveTo(n % 2 === 0 ? away : home));
    statuses.push(await moveTo(away));
    await until(async () => (await placed(away)) === waiting, 120_000);
    return statuses;
  });

  expect(failures).toEqual([]);
  expect(new Set(result)).toEqual(new Set([200]));
  expect(await placed(home)).toBe(0);
  expect(slowestRequestMs).toBeLessThan(calmMs);
  expect(slowestDeliveryMs).toBeLessThan(calmMs);
}, 200_000);
