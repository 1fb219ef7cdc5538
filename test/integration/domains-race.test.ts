import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { DomainsProgram, startDomainsProgram } from '../support/programs/domains-program.js';

let program: DomainsProgram;

beforeAll(async () => {
  program = await startDomainsProgram({ DATABASE_POOL: '16' });
});

afterAll(() => program.stop());

const rowsNamed = (name: string) =>
  program.postrider.app.get(Database).query<{ id: string; team_id: string; keys: number }>({
    text: `SELECT d.id, d.team_id, (SELECT count(*)::int FROM dkim_keys WHERE domain_id = d.id) AS keys
           FROM domains d WHERE name = $1`,
    values: [name],
  });

describe('two teams that add one domain at the same time', () => {
  it.each([1, 2, 3, 4, 5])('only one gets it, and every other request gets an error (round %i)', async (round) => {
    const name = `race${round}.test`;
    const clients = [program.resend, program.other, program.resend, program.other];

    const results = await Promise.all(clients.map((client) => client.domains.create({ name })));

    const winners = results.filter(({ data }) => data !== null);
    const losers = results.filter(({ error }) => error !== null);
    expect(winners).toHaveLength(1);
    expect(losers.map(({ error }) => error?.statusCode)).toEqual([403, 403, 403]);
    expect(await rowsNamed(name)).toMatchObject([{ id: winners[0]?.data?.id, keys: 2 }]);
    const events = await program.postrider.app.get(Database).query({
      text: `SELECT 1 FROM team_events WHERE data->>'name' = $1`,
      values: [name],
    });
    expect(events).toHaveLength(1);
  });
});

describe('changes of one domain at the same time', () => {
  it('are all kept', async () => {
    const { data } = await program.resend.domains.create({ name: 'busy.test' });
    const id = data?.id as string;

    const results = await Promise.all([
      program.resend.domains.update({ id, openTracking: true }),
      program.resend.domains.update({ id, clickTracking: true }),
      program.resend.domains.update({ id, tls: 'enforced' }),
      program.resend.domains.verify(id),
    ]);

    expect(results.map(({ error }) => error)).toEqual([null, null, null, null]);
    const { body } = await program.call('GET', `/domains/${id}`);
    expect(body).toMatchObject({ open_tracking: true, click_tracking: true });
    expect((await program.call('GET', `/domains/${id}/diagnosis`)).body).toMatchObject({ tls: 'enforced' });
  });

  it('several rotations create only one new generation of keys', async () => {
    const { data } = await program.resend.domains.create({ name: 'rotated.test' });
    const path = `/domains/${data?.id}/dkim/rotate`;

    const responses = await Promise.all([1, 2, 3].map(() => program.call('POST', path)));

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(responses.map(({ body }) => body.data.length)).toEqual([4, 4, 4]);
  });
});

describe('checks that are due', () => {
  it('are each taken by only one of several processes', async () => {
    const database = program.postrider.app.get(Database);
    await database.execute({
      text: `INSERT INTO domains (id, team_id, name, status, region, custom_return_path, created_at, next_check_at)
             SELECT gen_random_uuid(), (SELECT id FROM teams LIMIT 1), 'due' || n || '.test', 'pending', 'us-east-1',
                    'send', now(), '2000-01-01' FROM generate_series(1, 40) AS n`,
    });
    const { DomainRepository } = await import('../../libs/domains/src/application/ports/domain-repository.port.js');
    const domains = program.postrider.app.get(DomainRepository, { strict: false });
    const [now, lease] = [new Date('2000-01-02'), new Date('2000-01-03')];

    const taken = await Promise.all(Array.from({ length: 8 }, () => domains.takeDueChecks(now, lease, 8)));

    expect(taken.flat()).toHaveLength(new Set(taken.flat()).size);
    expect(taken.flat().length).toBeLessThanOrEqual(40);
    const plan = await database.query<{ 'QUERY PLAN': string }>({
      text: `EXPLAIN SELECT id FROM domains WHERE next_check_at <= '2000-01-02' ORDER BY next_check_at LIMIT 8`,
    });
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('domains_due');
  });
});
