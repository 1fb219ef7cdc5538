import { Client } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import { BenchCase, BenchSettings, Measurement } from '../bench-case.js';
import { percentile } from '../load/http-load.js';
import { singleSends } from '../load/load-case.js';
import { measureHttp } from '../load/measured-load.js';
import { benchApiKey, ServerProcess, startServer } from '../server-process.js';
import { storeEmails } from '../stored-emails.js';

const storedEmails = Number(process.env.BENCH_STORED ?? 5_000_000);
const lists = 1_000;

/** The cost of a month of stored emails for sending and listing: the same measurements before and with them. */
export const storedCase: BenchCase = {
  name: 'stored',
  isLong: true,
  open: async (settings) => {
    const server = await startServer({
      ROLES: 'api,smtp',
      DELIVERY_TRANSPORT: 'relay',
      RELAY_URL: 'smtp://127.0.0.1:9?tls=none',
    });
    const warmUp = await figures(server, settings, 'warm-up');
    if (warmUp.length === 0) throw new Error('Nothing was measured');
    const empty: Measurement[][] = [];
    for (let i = 0; i < settings.runs; i++) empty.push(await figures(server, settings, 'few emails stored'));
    const client = new Client({ connectionString: await runningPostgresUrl(server.dataDir) });
    await client.connect();
    try {
      await storeEmails(client, storedEmails);
    } finally {
      await client.end();
    }
    const label = `${(storedEmails / 1e6).toFixed(1)} million emails stored`;
    return {
      measure: async () => [...(empty.shift() ?? []), ...(await figures(server, settings, label))],
      close: () => server.stop(),
    };
  },
};

async function figures(server: ServerProcess, settings: BenchSettings, label: string): Promise<Measurement[]> {
  const load = await measureHttp(server, singleSends('4 KB'), settings);
  const latencies = await listLatencies(server);
  return [
    {
      name: `HTTP accept alone, ${label}`,
      value: load.count / load.seconds,
      unit: 'emails/s',
      cpuMs: load.cpuMs,
      p50Ms: percentile(load.latencies, 0.5),
      p99Ms: percentile(load.latencies, 0.99),
    },
    {
      name: `list of 100 emails, ${label}`,
      value: percentile(latencies, 0.99),
      unit: 'ms (p99)',
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
    },
  ];
}

/** Reads the pages from the newest to older ones, one request after the other. */
async function listLatencies({ port }: ServerProcess): Promise<number[]> {
  const latencies: number[] = [];
  let after = '';
  for (let i = 0; i < lists; i++) {
    const begun = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/emails?limit=100${after}`, {
      headers: { authorization: `Bearer ${benchApiKey}` },
    });
    const page = (await answer.json()) as { data: { id: string }[] };
    latencies.push(performance.now() - begun);
    after = page.data.length === 100 ? `&after=${page.data.at(-1)?.id}` : '';
  }
  return latencies.sort((a, b) => a - b);
}
