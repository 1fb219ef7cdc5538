import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { RedisCluster } from '../support/servers/redis-cluster.js';
import { describeUnless, whyNo } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

describeUnless(whyNo('redis-server', '--version'))('on a Redis Cluster', () => {
  const transport = new InMemoryDeliveryTransport();
  let cluster: RedisCluster;
  let program: TestProgram;

  beforeAll(async () => {
    cluster = await RedisCluster.start();
    program = await startProgram(
      { REDIS_URL: cluster.urls, ROLES: 'api,worker' },
      new Adapters().use(DeliveryTransport, transport),
    );
  });

  afterAll(async () => {
    await program?.stop();
    await cluster?.stop();
  });

  it('wakes the workers, and limits requests', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 10; n++) {
      const email = { from: testSender, to: `user@host${n}.test`, subject: `No ${n}`, text: 'Hello' };
      ids.push((await program.resend.emails.send(email)).data?.id ?? '');
    }
    await until(() => transport.delivered.length === ids.length);
    expect(transport.delivered.map(({ emailId }) => emailId).sort()).toEqual([...ids].sort());
    expect(await cluster.keys('postrider:rate:*')).toHaveLength(1);
    expect((await cluster.keys('{postrider}:*')).length).toBeGreaterThan(0);
    // None of the jobs are in PostgreSQL.
    const sql = new Client({ connectionString: program.database.url });
    await sql.connect();
    expect((await sql.query('SELECT count(*)::int AS jobs FROM bullmq.job')).rows).toEqual([{ jobs: 0 }]);
    await sql.end();
  });
});
