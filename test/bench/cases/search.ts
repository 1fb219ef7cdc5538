import { Client } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import type { BenchCase } from '../bench-case.js';
import { readLatency } from '../load/read-latency.js';
import { startServer } from '../server-process.js';
import { storeEmails } from '../stored-emails.js';

const storedEmails = Number(process.env.BENCH_STORED ?? 1_000_000);

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
        await readLatency(
          server,
          `a recipient among ${among}`,
          () => `/emails?limit=40&recipient=user${someone()}@sink.test`,
        ),
        await readLatency(
          server,
          `a recipient that does not exist among ${among}`,
          () => `/emails?limit=40&recipient=nobody${someone()}@sink.test`,
        ),
        await readLatency(
          server,
          `words of the subject among ${among}, first page`,
          () => `/emails?limit=40&subject=receipt ${someone() % 1_000}`,
        ),
        await readLatency(
          server,
          `the next 60,000 of ${among} examined in vain`,
          () => '/emails?limit=40&subject=nothing',
        ),
      ],
      close: () => server.stop(),
    };
  },
};
