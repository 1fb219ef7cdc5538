import { Client } from 'pg';
import { until } from '../support/runner/until.js';
import { runCells } from './cells.js';
import { newTally, sendOverHttp, sendOverSmtp } from './senders.js';
import { Topology } from './topology.js';

/**
 * `npm run cluster`: sends mail through the whole topology while one process of each kind and Redis are killed. It
 * fails if a single acknowledged message was not delivered.
 */
const emails = Number(process.env.CLUSTER_EMAILS ?? 1_200);
const httpSenders = 12;
const smtpSenders = 4;
const quietMs = 30_000;

const say = (text: string): void => console.log(text);

async function send(topology: Topology): Promise<readonly string[]> {
  const tally = newTally();
  let next = 0;
  const run = async (sendOne: (port: number, index: number) => Promise<void>, port: number): Promise<void> => {
    while (next < emails) await sendOne(port, next++);
  };
  const senders = [
    ...Array.from({ length: httpSenders }, () => run((port, n) => sendOverHttp(port, n, tally), topology.http.port)),
    ...Array.from({ length: smtpSenders }, () => run((port, n) => sendOverSmtp(port, n, tally), topology.smtp.port)),
  ];
  const sending = Promise.all(senders);
  await Promise.all([sending, breakThings(topology, () => next)]);
  say(`${tally.accepted.length} messages acknowledged, ${tally.repeated} attempts were repeated by the senders`);
  return tally.accepted;
}

/** One after the other, spread over the run. */
async function breakThings(topology: Topology, sent: () => number): Promise<void> {
  const trouble: [name: string, cause: () => Promise<unknown>][] = [
    ['an api process', () => topology.killOne('api')],
    ['a worker process', () => topology.killOne('worker')],
    ['Redis', async () => (await topology.redis?.kill(), topology.redis?.run())],
    ['the smtp process', () => topology.killOne('smtp')],
    ['everything in Redis', async () => topology.redis?.empty()],
  ];
  for (const [step, [name, cause]] of trouble.entries()) {
    await until(() => sent() >= (emails * (step + 1)) / (trouble.length + 2), 60_000);
    await cause();
    say(`killed and replaced: ${name}`);
  }
}

async function report(topology: Topology, accepted: readonly string[]): Promise<boolean> {
  const sql = new Client({ connectionString: topology.databaseUrl });
  await sql.connect();
  try {
    const waiting = async (): Promise<number> =>
      (await sql.query<{ n: number }>('SELECT count(*)::int AS n FROM outbound_queue')).rows[0]?.n ?? NaN;
    await until(async () => (await waiting()) === 0, quietMs).catch(async () =>
      say(`after ${quietMs / 1_000} s ${await waiting()} recipients are still waiting`),
    );
    const deliveries = new Map<string, number>();
    for (const { recipients } of topology.sink.messages) {
      for (const recipient of recipients) deliveries.set(recipient, (deliveries.get(recipient) ?? 0) + 1);
    }
    const lost = accepted.filter((recipient) => !deliveries.has(recipient));
    const twice = [...deliveries.values()].filter((count) => count > 1).length;
    const { rows } = await sql.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM delivery_attempts WHERE outcome = 'unknown'`,
    );
    say(
      `${accepted.length - lost.length} delivered, ${lost.length} lost, ${twice} twice, ${rows[0]?.n ?? 0} attempts are on record as of unknown outcome`,
    );
    return lost.length === 0 && accepted.length === emails;
  } finally {
    await sql.end();
  }
}

async function main(): Promise<void> {
  const started = performance.now();
  const topology = await Topology.start();
  try {
    say(
      `ready after ${Math.round((performance.now() - started) / 1_000)} s: ${topology.processes.map(({ kind }) => kind).join(', ')}`,
    );
    if (topology.redis === undefined) say('redis-server is not installed: the queues are in PostgreSQL');
    const good = await report(topology, await send(topology));
    say(good ? 'Nothing was lost.' : 'FAILED');
    process.exitCode = good ? 0 : 1;
  } finally {
    await topology.stop();
  }
  say(`took ${Math.round((performance.now() - started) / 1_000)} s`);
}

if (process.argv[2] === 'cells') process.exitCode = (await runCells()) ? 0 : 1;
else await main();
