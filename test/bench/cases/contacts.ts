import { Client } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import { BenchCase, BenchSettings, Measurement } from '../bench-case.js';
import { percentile } from '../load/http-load.js';
import { LoadCase } from '../load/load-case.js';
import { measureHttp } from '../load/measured-load.js';
import { benchApiKey, ServerProcess, startServer } from '../server-process.js';

const storedContacts = Number(process.env.BENCH_CONTACTS ?? 1_000_000);
const fewContacts = 1_000;
const reads = 100;

let next = 0;

const upserts: LoadCase = {
  name: 'contact upserts',
  path: '/contacts',
  emailsPerRequest: 1,
  // Two requests for each address: half of them add a contact, half of them change it.
  body: () => {
    const number = next++ >> 1;
    return JSON.stringify({ email: `user${number}@sink.test`, first_name: `Ada ${next}`, last_name: 'Lovelace' });
  },
};

/** Upserts by the API, and pages and searches with a thousand and with a million contacts. */
export const contactsCase: BenchCase = {
  name: 'contacts',
  open: async (settings) => {
    const server = await startServer({
      ROLES: 'api,smtp',
      DELIVERY_TRANSPORT: 'relay',
      RELAY_URL: 'smtp://127.0.0.1:9?tls=none',
    });
    await fill(server, fewContacts);
    const few: Measurement[][] = [];
    for (let run = 0; run < settings.runs; run++) few.push(await pages(server, 'few contacts stored'));
    const rates: Measurement[][] = [];
    for (let run = 0; run < settings.runs; run++) rates.push([await rate(server, settings)]);
    await fill(server, storedContacts);
    const label = `${(storedContacts / 1e6).toFixed(1)} million contacts stored`;
    return {
      measure: async () => [...(rates.shift() ?? []), ...(few.shift() ?? []), ...(await pages(server, label))],
      close: () => server.stop(),
    };
  },
};

async function rate(server: ServerProcess, settings: BenchSettings): Promise<Measurement> {
  const load = await measureHttp(server, upserts, settings);
  return {
    name: 'contact upserts by the API',
    value: load.count / load.seconds,
    unit: 'contacts/s',
    cpuMs: load.cpuMs,
    p50Ms: percentile(load.latencies, 0.5),
    p99Ms: percentile(load.latencies, 0.99),
  };
}

async function pages(server: ServerProcess, label: string): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const [what, query] of [
    ['page of 100 contacts', 'limit=100'],
    ['search for contacts by a short prefix', 'limit=20&search=b'],
    ['search for contacts by a name', 'limit=20&search=name12'],
  ] as const) {
    const latencies = await latenciesOf(server, query);
    const p99Ms = percentile(latencies, 0.99);
    // A search takes as long as its matches are many, so only the page must take the same time with all of them.
    const name = what.startsWith('search') ? `${what} (${label})` : `${what}, ${label}`;
    rows.push({ name, value: p99Ms, unit: 'ms (p99)', p50Ms: percentile(latencies, 0.5), p99Ms });
  }
  return rows;
}

/** Reads from the newest page to older ones, one request after the other. */
async function latenciesOf({ port }: ServerProcess, query: string): Promise<number[]> {
  const latencies: number[] = [];
  let after = '';
  for (let read = 0; read < reads; read++) {
    const begun = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/contacts?${query}${after}`, {
      headers: { authorization: `Bearer ${benchApiKey}` },
    });
    const page = (await answer.json()) as { has_more: boolean; data: { id: string }[] };
    latencies.push(performance.now() - begun);
    after = page.has_more ? `&after=${page.data.at(-1)?.id}` : '';
  }
  return latencies.sort((a, b) => a - b);
}

/** Adds contacts to the team until it has this many. */
async function fill(server: ServerProcess, count: number): Promise<void> {
  const client = new Client({ connectionString: await runningPostgresUrl(server.dataDir) });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO contacts (id, team_id, email, first_name, last_name, created_at, updated_at)
       SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
              t.id, 'bench' || n || '@sink.test', 'Name' || n, 'Last' || n % 1000, now(), now()
       FROM (SELECT id FROM teams LIMIT 1) t, generate_series(1, $1::int) n ON CONFLICT DO NOTHING`,
      [count],
    );
    await client.query('ANALYZE contacts');
  } finally {
    await client.end();
  }
}
