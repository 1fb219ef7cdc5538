import { Client } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import { BenchCase, Measurement } from '../bench-case.js';
import { percentile } from '../load/http-load.js';
import { cpuSecondsOf, peakMegabytesOf } from '../process-cpu.js';
import { benchApiKey, ServerProcess, startServer } from '../server-process.js';

const importedRows = Number(process.env.BENCH_IMPORT_ROWS ?? 1_000_000);
const previews = 20;

const headers = { authorization: `Bearer ${benchApiKey}` };
const rule = (field: string, operator: string, value: unknown): object => ({ type: 'rule', field, operator, value });

const filters: readonly [name: string, filter: object][] = [
  ['by a property', rule('contact.properties.plan', 'eq', 'pro')],
  ['by a part of the address', rule('contact.email', 'contains', '@domain7')],
  [
    'sent to, but not opened',
    { type: 'and', rules: [rule('contact.sent', 'within_days', 60), rule('contact.opened', 'not_within_days', 60)] },
  ],
];

let runs = 0;

/** Imports a file by the API, and previews filters over the contacts that it made. */
export const contactFilesCase: BenchCase = {
  name: 'contact-files',
  isLong: true,
  open: async () => {
    const server = await startServer({ DELIVERY_TRANSPORT: 'relay', RELAY_URL: 'smtp://127.0.0.1:9?tls=none' });
    return {
      measure: async () => {
        const rows: Measurement[] = await importRate(server, runs++);
        if (runs === 1) await addActivity(server);
        for (const [name, filter] of filters) rows.push(await previewTimes(server, name, filter));
        return rows;
      },
      close: () => server.stop(),
    };
  },
};

/** The first run adds contacts, the later ones change nothing. */
async function importRate({ port, pid }: ServerProcess, run: number): Promise<Measurement[]> {
  const base = `http://127.0.0.1:${port}/contacts/imports`;
  const form = new FormData();
  form.append('file', new Blob([...file(importedRows)]));
  const columns = { plan: { column: 'plan' }, score: { column: 'score', type: 'number' } };
  form.append('column_map', JSON.stringify({ properties: columns }));
  const cpuBefore = cpuSecondsOf(pid);
  const begun = performance.now();
  const { id } = (await (await fetch(base, { method: 'POST', headers, body: form })).json()) as { id: string };
  for (;;) {
    const shown = (await (await fetch(`${base}/${id}`, { headers })).json()) as { status: string; failure: string };
    if (shown.status === 'completed') break;
    if (shown.status === 'failed') throw new Error(shown.failure);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const seconds = (performance.now() - begun) / 1_000;
  const name = run === 0 ? 'import of new contacts, upload included' : 'import of known contacts, upload included';
  const cpuMs = ((cpuSecondsOf(pid) - cpuBefore) * 1_000) / importedRows;
  const memory = `peak memory of the server process, ${importedRows.toLocaleString('en')} rows imported`;
  return [
    { name, value: importedRows / seconds, unit: 'rows/s', cpuMs },
    { name: memory, value: peakMegabytesOf(pid), unit: 'MB' },
  ];
}

function* file(rows: number): Generator<string> {
  yield 'email,first_name,last_name,plan,score\n';
  for (let from = 0; from < rows; from += 10_000) {
    let text = '';
    for (let no = from; no < Math.min(from + 10_000, rows); no++) {
      text += `user${no}@domain${no % 1_000}.test,First ${no % 5_000},Last ${no % 20_000},${no % 3 ? 'pro' : 'free'},${no % 100}\n`;
    }
    yield text;
  }
}

async function previewTimes({ port }: ServerProcess, name: string, filter: object): Promise<Measurement> {
  const latencies: number[] = [];
  for (let no = 0; no < previews; no++) {
    const begun = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/segments/preview`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ filter }),
    });
    if (!response.ok) throw new Error(await response.text());
    await response.json();
    latencies.push(performance.now() - begun);
  }
  latencies.sort((a, b) => a - b);
  const p99Ms = percentile(latencies, 0.99);
  const label = `${(importedRows / 1e6).toFixed(1)} million contacts`;
  return {
    name: `preview of ${label}, ${name}`,
    value: p99Ms,
    unit: 'ms (p99)',
    p50Ms: percentile(latencies, 0.5),
    p99Ms,
  };
}

/** Every contact was sent something in the last 90 days, and two of five opened it. */
async function addActivity(server: ServerProcess): Promise<void> {
  const client = new Client({ connectionString: await runningPostgresUrl(server.dataDir) });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO contact_activity (contact_id, last_sent_at, last_opened_at)
       SELECT id, now() - random() * 90 * interval '1 day', CASE WHEN random() < 0.4 THEN now() - random() * 90 * interval '1 day' END
       FROM contacts`,
    );
    await client.query('VACUUM ANALYZE contacts, contact_activity');
  } finally {
    await client.end();
  }
}
