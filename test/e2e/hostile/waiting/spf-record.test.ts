import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HostileProgram, startHostileProgram } from '../../../support/programs/hostile-program.js';
import { until } from '../../../support/runner/until.js';
import { stretched } from '../../../support/runner/stretched.js';

/** An expression with two ways to read each colon takes exponential time for this record. */
const manyColons = `v=spf1 a:${':'.repeat(45)}/x -all`;

let hostile: HostileProgram;

beforeAll(async () => {
  hostile = await startHostileProgram();
  hostile.dns.txt('colons.test', manyColons);
});

afterAll(() => hostile.stop());

it.each([
  ['own', manyColons, 'invalid_syntax'],
  ['included', 'v=spf1 include:colons.test -all', 'spf_broken_include'],
  ['large', `v=spf1 ${'ip4:192.0.2.1 '.repeat(400)}-all`, 'invalid_syntax'],
])(
  'an SPF record that is slow to parse delays nobody, at the first check or at a later one: %s',
  async (kind, record, mistake) => {
    const name = `${kind}-spf.test`;
    hostile.dns.txt(`send.${name}`, record.match(/[^]{1,255}/g) as string[]);
    const { slowestRequestMs, slowestDeliveryMs, failures } = await hostile.during(async () => {
      const created = await hostile.request('/domains', { method: 'POST', body: JSON.stringify({ name }) });
      const { id } = (await created.json()) as { id: string };
      await hostile.request(`/domains/${id}/verify`, { method: 'POST' });
      await until(async () => {
        const response = await hostile.request(`/domains/${id}/diagnosis`);
        return JSON.stringify(await response.json()).includes(mistake);
      });
      const checkedAt = await lastCheck(id);
      // As if the next check were due, some time later or after a restart.
      await hostile.query('UPDATE domains SET next_check_at = now() WHERE id = $1', [id]);
      await until(async () => (await lastCheck(id)) > checkedAt);
    });
    expect(failures).toEqual([]);
    expect(slowestRequestMs).toBeLessThan(stretched(1_000));
    expect(slowestDeliveryMs).toBeLessThan(stretched(1_000));
  },
);

async function lastCheck(id: string): Promise<Date> {
  const [row] = await hostile.query<{ checked_at: Date }>('SELECT checked_at FROM domains WHERE id = $1', [id]);
  return row?.checked_at ?? new Date(0);
}
