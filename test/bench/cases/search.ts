import { Client } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import { BenchCase, Measurement } from '../bench-case.js';
import { percentile } from '../load/http-load.js';
import { benchApiKey, ServerProcess, startServer } from '../server-process.js';
import { storeEmails } from '../stored-emails.js';

const storedEmails = Number(process.env.BENCH_STORED ?? 1_000_000);
const searches = 200;

/** How fast emails are found among a month of them. */
export const searchCase: BenchCase = {
  name: 'search',
  isLong: true,
  open: async () => {
    const server = await startServer({ ROLES: 'api,smtp', RATE_LIMIT_PER_SECOND: '10000' });
    const client = new Client({ connectionString: await runningPostgresUrl(server.dataDir) });
    await client.connect();
    try {
      await storeEmails(client, storedEmails);
    } finally {
      await client.end();
    }
    const among = `${(storedEmails / 1e6).toFixed(1)} million emails`;
    const someone = (): number => Math.floor((Math.random() * storedEmails) / 30);
    return {
      measure: async () => [
        await figure(server, `a recipient among ${among}`, () => `recipient=user${someone()}@sink.test`),
        await figure(
          server,
          `a recipient that does not exist among ${among}`,
          () => `recipient=nobody${someone()}@sink.test`,
        ),
        await figure(
          server,
          `words of the subject among ${among}, first page`,
          () => `subject=receipt ${someone() % 1_000}`,
        ),
        await figure(server, `the next 60,000 of ${among} examined in vain`, () => 'subject=nothing'),
      ],
      close: () => server.stop(),
    };
  },
};

async function figure({ port }: ServerProcess, name: string, query: () => string): Promise<Measurement> {
  const latencies: number[] = [];
  for (let i = 0; i < searches; i++) {
    const begun = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/emails?limit=40&${query()}`, {
      headers: { authorization: `Bearer ${benchApiKey}` },
    });
    if (!answer.ok) throw new Error(await answer.text());
    await answer.json();
    latencies.push(performance.now() - begun);
  }
  latencies.sort((a, b) => a - b);
  const [p50Ms, p99Ms] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return { name, value: p99Ms, unit: 'ms (p99)', p50Ms, p99Ms };
}
