import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import { BenchCase, Measurement } from '../bench-case.js';
import { readLatency } from '../load/read-latency.js';
import { benchApiKey, type ServerProcess, startServer } from '../server-process.js';
import { storeEmails } from '../stored-emails.js';

/** Each email has two events: sent and delivered. */
const storedEmails = Number(process.env.BENCH_STORED ?? 500_000);
const sites = 200;
/** As base64 and with its message nearly the 40 MB that an email may have. */
const attachmentBytes = 29_000_000;

/** How fast the insights of a day with a million events are read and counted, and those of an email of 40 MB. */
export const insightsCase: BenchCase = {
  name: 'insights',
  isLong: true,
  open: async () => {
    const server = await startServer({
      RATE_LIMIT_PER_SECOND: '10000',
      DELIVERY_TRANSPORT: 'relay',
      RELAY_URL: 'smtp://127.0.0.1:9?tls=none',
    });
    const client = new Client({ connectionString: await runningPostgresUrl(server.dataDir) });
    await client.connect();
    const rows: Measurement[] = [];
    try {
      await storeEmails(client, storedEmails, { days: 1, sites });
      const begun = performance.now();
      const id = await domainOf(client);
      while ((await delivered(client)) < storedEmails) await delay(50);
      const seconds = (performance.now() - begun) / 1_000;
      rows.push({ name: 'events counted by provider', value: (2 * storedEmails) / seconds, unit: 'events/s' });
      const among = `${((2 * storedEmails) / 1e6).toFixed(1)} million events`;
      return {
        measure: async () => [
          ...rows.splice(0),
          ...(await checksOfLargeEmail(server)),
          await readLatency(server, `insights of a domain, a day of ${among}`, () => `/domains/${id}/insights?days=2`),
          await readLatency(server, `metrics by day, a day of ${among}`, () => '/emails/metrics?dimensions=period'),
        ],
        close: () => server.stop(),
      };
    } finally {
      await client.end();
    }
  },
};

/** The slowest of five checks, and the slowest answer to somebody else meanwhile: the program's main thread is not held up. */
async function checksOfLargeEmail({ port }: ServerProcess): Promise<Measurement[]> {
  const call = async (path: string, body?: object): Promise<{ readonly id: string }> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${benchApiKey}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { readonly id: string };
  };
  const { id } = await call('/emails', {
    from: 'Bench <bench@sandbox.postrider.test>',
    to: 'user@sink.test',
    subject: 'The year in pictures',
    html: '<p>Here is the year in pictures, as a file that you can keep.</p>',
    attachments: [{ filename: 'year.jpg', content: randomBytes(attachmentBytes).toString('base64') }],
  });
  const [checks, others]: [number[], number[]] = [[], []];
  const timed = async (path: string, times: number[]): Promise<void> => {
    const begun = performance.now();
    await call(path);
    times.push(performance.now() - begun);
  };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      await timed('/healthz', others);
      await delay(5);
    }
  })();
  for (let no = 0; no < 5; no++) await timed(`/emails/${id}/insights`, checks);
  isOver = true;
  await watching;
  return [
    { name: 'insights of an email of 40 MB', value: Math.max(...checks), unit: 'ms (slowest of 5)' },
    { name: 'another answer meanwhile', value: Math.max(...others), unit: 'ms (slowest)' },
  ];
}

async function domainOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ readonly id: string }>('SELECT domain_id AS id FROM emails LIMIT 1');
  if (rows[0] === undefined) throw new Error('No email is stored');
  return rows[0].id;
}

async function delivered(client: Client): Promise<number> {
  const { rows } = await client.query<{ readonly n: number }>(
    `SELECT coalesce(sum(count), 0)::int AS n FROM provider_counts WHERE kind = 'delivered'`,
  );
  return rows[0]?.n ?? 0;
}
