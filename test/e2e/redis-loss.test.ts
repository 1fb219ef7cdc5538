import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { describeUnless, whyNo } from '../support/runner/unless.js';
import { RedisServer } from '../support/servers/redis-server.js';
import { until } from '../support/runner/until.js';

const burst = 100;

describeUnless(whyNo('redis-server', '--version'))('a program whose queue is in Redis', () => {
  const transport = new InMemoryDeliveryTransport();
  let redis: RedisServer;
  let api: TestProgram;
  let worker: TestProgram;

  beforeAll(async () => {
    redis = await RedisServer.start();
    const environment = { REDIS_URL: redis.nextUrl(), RATE_LIMIT_PER_SECOND: '100000' };
    api = await startProgram({ ...environment, ROLES: 'api' }, delivering(new InMemoryDeliveryTransport()));
    worker = await startProgram({ ...environment, ROLES: 'worker' }, delivering(transport), api.database);
  });

  afterAll(async () => {
    await redis.stop();
    await worker.stop();
    await api.stop();
  });

  const delivering = (to: DeliveryTransport): Adapters => new Adapters().use(DeliveryTransport, to);

  async function send(subject: string): Promise<string> {
    const email = { from: testSender, to: 'ann@sink.test', subject, text: 'Hello' };
    const { data, error } = await api.resend.emails.send(email);
    expect(error).toBeNull();
    return data?.id ?? '';
  }

  /** Sends a burst, causes trouble in the middle of it, and waits until everything is delivered. */
  async function sendDuring(trouble: () => Promise<void>): Promise<void> {
    const half = (from: number): Promise<string[]> =>
      Promise.all(Array.from({ length: burst / 2 }, (_, n) => send(`No ${from + n}`)));
    const first = half(0);
    const cause = trouble();
    const ids = [...(await first), ...(await half(burst / 2))];
    await cause;
    const delivered = (): Set<string> => new Set(transport.delivered.map(({ emailId }) => emailId));
    await until(() => ids.every((id) => delivered().has(id)), 60_000);
  }

  it('loses nothing when Redis is emptied', async () => {
    await sendDuring(() => redis.empty());
  });

  it('accepts and delivers while Redis is away', async () => {
    await sendDuring(() => redis.kill());
  });

  it('goes on when Redis is back and empty', async () => {
    await sendDuring(() => redis.run());
    await sendDuring(async () => (await redis.kill(), redis.run()));
  });

  it('can be stopped while Redis is away', async () => {
    await sendDuring(() => redis.kill());
    const other = await startProgram(
      { REDIS_URL: redis.nextUrl(), ROLES: 'api,worker' },
      delivering(transport),
      api.database,
    );
    await other.stop();
  });
});
