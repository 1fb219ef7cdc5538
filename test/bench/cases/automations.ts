import { Client } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import { BenchCase, BenchSettings, Measurement } from '../bench-case.js';
import { percentile } from '../load/http-load.js';
import { LoadCase } from '../load/load-case.js';
import { measureHttp } from '../load/measured-load.js';
import { benchApiKey, ServerProcess, startServer } from '../server-process.js';

/** Runs of one measurement of steps, each of a contact of its own. */
const runs = Number(process.env.BENCH_RUNS_OF_AUTOMATION ?? 5_000);
const stepsOfRun = 5;
const sleepingRuns = Number(process.env.BENCH_SLEEPING_RUNS ?? 1_000_000);

let next = 0;

const events = (event: string): LoadCase => ({
  name: 'events',
  path: '/events/send',
  emailsPerRequest: 1,
  body: () => JSON.stringify({ event, email: `user${next++}@sink.test`, payload: { plan: 'pro', total: 5 } }),
});

const rule = (field: string): object => ({ type: 'rule', field, operator: 'exists' });
const automation = {
  name: 'Bench',
  status: 'enabled',
  steps: [
    { key: 'start', type: 'trigger', config: { event_name: 'begun' } },
    { key: 'plan', type: 'condition', config: rule('event.plan') },
    { key: 'name', type: 'contact_update', config: { first_name: { var: 'event.plan' } } },
    { key: 'total', type: 'condition', config: rule('event.total') },
    { key: 'again', type: 'contact_update', config: { last_name: 'Bench' } },
  ],
  connections: [
    { from: 'start', to: 'plan' },
    { from: 'plan', to: 'name', type: 'condition_met' },
    { from: 'name', to: 'total' },
    { from: 'total', to: 'again', type: 'condition_met' },
  ],
};

/** Events that no automation hears, the steps of runs, and events beside a million runs that sleep. */
export const automationsCase: BenchCase = {
  name: 'automations',
  open: async (settings) => {
    const server = await startServer({ DELIVERY_TRANSPORT: 'relay', RELAY_URL: 'smtp://127.0.0.1:9?tls=none' });
    const sql = new Client({ connectionString: await runningPostgresUrl(server.dataDir) });
    await sql.connect();
    const created = await fetch(`http://127.0.0.1:${server.port}/automations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${benchApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(automation),
    });
    if (created.status !== 201) throw new Error(`The automation was refused: ${await created.text()}`);
    const rows: Measurement[][] = [];
    for (let run = 0; run < settings.runs; run++) {
      rows.push([await accepted(server, settings, 'events accepted'), await steps(server, sql, settings)]);
    }
    await addSleepingRuns(sql);
    const label = `events accepted beside ${(sleepingRuns / 1e6).toFixed(1)} million sleeping runs`;
    return {
      measure: async () => [...(rows.shift() ?? []), await accepted(server, settings, label)],
      close: async () => {
        await sql.end();
        await server.stop();
      },
    };
  },
};

async function accepted(server: ServerProcess, settings: BenchSettings, name: string): Promise<Measurement> {
  const load = await measureHttp(server, events('unheard'), settings);
  return {
    name,
    value: load.count / load.seconds,
    unit: 'events/s',
    cpuMs: load.cpuMs,
    p50Ms: percentile(load.latencies, 0.5),
    p99Ms: percentile(load.latencies, 0.99),
  };
}

/** From the first event to the last step: the steps are done while the events still come. */
async function steps(server: ServerProcess, sql: Client, settings: BenchSettings): Promise<Measurement> {
  const started = performance.now();
  await measureHttp(server, events('begun'), { ...settings, messages: runs });
  for (;;) {
    const { rows } = await sql.query<{ left: string }>(
      `SELECT (SELECT count(*) FROM custom_event_occurrences) + (SELECT count(*) FROM automation_runs WHERE completed_at IS NULL) AS left`,
    );
    if (Number(rows[0]?.left) === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const seconds = (performance.now() - started) / 1_000;
  return { name: 'steps of automations', value: (runs * stepsOfRun) / seconds, unit: 'steps/s' };
}

async function addSleepingRuns(sql: Client): Promise<void> {
  await sql.query(
    `INSERT INTO automation_runs (id, team_id, automation_id, version, event_id, trigger_key, contact_id, contact_email, payload,
       status, step_key, is_waiting, due_at, created_at)
     SELECT gen_random_uuid(), a.team_id, a.id, 1, gen_random_uuid(), 'start', gen_random_uuid(), 'user' || n || '@sink.test', '{}',
            'running', 'plan', true, now() + interval '20 days' + n * interval '1 second', now()
     FROM (SELECT id, team_id FROM automations LIMIT 1) a, generate_series(1, $1::int) n`,
    [sleepingRuns],
  );
  await sql.query('ANALYZE automation_runs');
}
