import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { InMemoryDnsResolver } from '#domains';
import { PostgresOtherWorkers } from '../../libs/mx/src/infrastructure/persistence/postgres-site-sharing.js';
import { RateShares } from '../../libs/mx/src/infrastructure/sites/site-sharing.js';
import { SiteProfiles } from '../../libs/mx/src/infrastructure/sites/site-profiles.js';
import { SiteThrottle } from '../../libs/mx/src/infrastructure/sites/mx-site.js';
import { noSources } from '../../libs/mx/src/infrastructure/sites/source-hosts.js';
import { MxDeliveryTransport } from '../../libs/mx/src/infrastructure/mx-delivery-transport.js';
import { outboundMessage } from '../support/builders/delivery-messages.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const profile = { name: 'some', connections: 8, messagesPerConnection: 10, messagesPerMinute: 6_000 };

let testDatabase: TestDatabase;
let database: Database;
let workers: Worker[] = [];
let now = 0;
let sink: SmtpSink;
let transports: MxDeliveryTransport[] = [];

/** One worker's view of a few sites. */
class Worker {
  readonly id = newId();
  readonly throttles = new Map<string, SiteThrottle>();
  readonly waiting = new Map<string, number>();
  readonly shares = new RateShares(new PostgresOtherWorkers(database, this.id), this.throttles, () => this.waiting);

  /** How many messages may go to the site within a second. */
  burst(site: string): number {
    const throttle = this.throttleOf(site);
    now += 1_000;
    let sent = 0;
    while (throttle.rate.take() === 0) sent++;
    return sent;
  }

  want(site: string, messages: number): void {
    this.throttleOf(site);
    this.waiting.set(site, messages);
  }

  private throttleOf(site: string): SiteThrottle {
    let throttle = this.throttles.get(site);
    if (throttle === undefined) {
      throttle = new SiteThrottle(profile, () => now);
      this.throttles.set(site, throttle);
      this.shares.begin(throttle);
    }
    return throttle;
  }
}

beforeEach(async () => {
  sink = await SmtpSink.listen();
  testDatabase = await createTestDatabase();
  database = new Database(new Pool({ connectionString: testDatabase.url, max: 3 }));
  workers = [new Worker(), new Worker(), new Worker()];
});

afterEach(async () => {
  for (const { shares } of workers) shares.stop();
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
  await sink.close();
  await database.pool.end();
  await testDatabase.drop();
});

async function exchangeAll(times = 2): Promise<void> {
  for (let time = 0; time < times; time++) for (const { shares } of workers) await shares.exchange();
}

const bursts = (site: string): number[] => workers.map((worker) => worker.burst(site));

test('three workers divide the rate of a site in proportion to their waiting mail', async () => {
  const [one, two, three] = workers as [Worker, Worker, Worker];
  one.want('big', 60);
  two.want('big', 30);
  three.want('big', 10);
  three.want('own', 50);

  await exchangeAll();

  expect(bursts('big')).toEqual([60, 30, 10]);
  expect(three.burst('own')).toBe(100);
});

test('a worker that starts takes an equal share until it has heard of the others', async () => {
  const [one, two, three] = workers as [Worker, Worker, Worker];
  one.want('big', 90);
  two.want('other', 50);
  three.want('other', 50);
  await exchangeAll();

  expect(one.burst('big')).toBe(100);
  expect(two.burst('big')).toBe(33);
  two.waiting.set('big', 180);
  await exchangeAll();
  expect(two.burst('big')).toBe(66);
});

test('a worker with nothing more to send leaves its share to the others, and reports this once', async () => {
  const [one, two] = workers as [Worker, Worker];
  one.want('big', 50);
  two.want('big', 50);
  await exchangeAll();
  expect(two.burst('big')).toBe(50);

  one.waiting.clear();
  await exchangeAll();
  expect(two.burst('big')).toBe(100);
  const told = `SELECT told_at AS "toldAt", demands FROM site_demands WHERE worker_id = $1`;
  const last = await database.query({ text: told, values: [one.id] });
  expect(last).toMatchObject([{ demands: {} }]);
  await exchangeAll();
  expect(await database.query({ text: told, values: [one.id] })).toEqual(last);
});

test('a worker that no longer reports is forgotten', async () => {
  const [one, two] = workers as [Worker, Worker];
  one.want('big', 50);
  two.want('big', 50);
  await exchangeAll();
  await database.execute({
    text: `UPDATE site_demands SET told_at = told_at - interval '2 minutes' WHERE worker_id = $1`,
    values: [two.id],
  });

  await one.shares.exchange();
  expect(one.burst('big')).toBe(100);
  const { rowCount } = await database.pool.query('SELECT FROM site_demands');
  expect(rowCount).toBe(1);
});

test('shares stay as they are while the database fails', async () => {
  const [one, two] = workers as [Worker, Worker];
  one.want('big', 50);
  two.want('big', 50);
  await exchangeAll();
  await database.execute({ text: 'ALTER TABLE site_demands RENAME TO away' });

  await one.shares.exchange();

  expect(one.burst('big')).toBe(50);
});

test('three workers together keep to the rate of a site once they have heard of each other', async () => {
  const perSecond = 8;
  const each = 48;
  const dns = new InMemoryDnsResolver();
  dns.set('site.test', { a: ['127.0.0.1'] });
  const paced = { ...profile, hosts: ['site.test'], messagesPerMinute: perSecond * 60, source: 'this test' };
  const rules = { sources: noSources, profiles: new SiteProfiles([paced]) };
  transports = workers.map(
    ({ id }) =>
      new MxDeliveryTransport(dns, {
        port: sink.port,
        heloName: 'client.test',
        allowPrivateDestinations: true,
        rules,
        others: new PostgresOtherWorkers(database, id),
      }),
  );
  const message = outboundMessage({ recipients: ['ann@site.test'] });
  const started = performance.now();

  await Promise.all(transports.flatMap((transport) => Array.from({ length: each }, () => transport.deliver(message))));

  // With an undivided rate they need five seconds. Until they know of each other, each sends its burst and two
  // seconds of mail.
  const seconds = (performance.now() - started) / 1_000;
  const early = workers.length * perSecond * 3;
  expect(seconds).toBeGreaterThan((workers.length * each - early) / perSecond);
});
