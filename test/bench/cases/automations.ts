import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import { until } from '../../support/runner/until.js';
import { BenchCase, BenchSettings, Measurement } from '../bench-case.js';
import { percentile } from '../load/http-load.js';
import { LoadCase, singleSends } from '../load/load-case.js';
import { measureHttp } from '../load/measured-load.js';
import { peakMegabytesOf } from '../process-cpu.js';
import { medians } from '../report.js';
import { benchApiKey, ServerProcess, startServer } from '../server-process.js';
import { Sink } from '../sink.js';

/** Runs of one measurement of steps, each of a contact of its own. */
const runs = Number(process.env.BENCH_RUNS_OF_AUTOMATION ?? 5_000);
const stepsOfRun = 5;
const sleepingRuns = Number(process.env.BENCH_SLEEPING_RUNS ?? 1_000_000);

let next = 0;

const events = (event: string): LoadCase => ({
  name: 'events',
  path: '/events/send',
  emailsPerRequest: 1,
  body: () => bodyOf(event),
});

function bodyOf(event: string): string {
  return JSON.stringify({ event, email: `user${next++}@sink.test`, payload: { plan: 'pro', total: 5 } });
}

/** As many as a batch may have. */
const eventsOfBatch = 100;

const batches = (event: string): LoadCase => ({
  name: 'batches of events',
  path: '/events/batch',
  emailsPerRequest: eventsOfBatch,
  body: () => `[${Array.from({ length: eventsOfBatch }, () => bodyOf(event)).join(',')}]`,
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

/**
 * Events that no automation hears; the steps of runs, alone and beside single sends that are accepted and delivered as
 * fast as they go; then starts, events and memory of the program with few runs and with a million that sleep.
 */
export const automationsCase: BenchCase = {
  name: 'automations',
  runsOnce: true,
  open: async (settings) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-bench-'));
    const sink = await Sink.start();
    const program: Program = { dataDir, sink, settings };
    return {
      measure: async () => {
        const running = await withServer(program, (rig) => measureRunning(rig));
        const few = await restarts(program);
        await withServer(program, ({ sql }) => addSleepingRuns(sql));
        const many = await restarts(program);
        return [...running, ...compared(few, many)];
      },
      close: async () => {
        await sink.stop();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  },
};

interface Program {
  readonly dataDir: string;
  readonly sink: Sink;
  readonly settings: BenchSettings;
}

interface Rig extends Program {
  readonly server: ServerProcess;
  readonly sql: Client;
}

async function withServer<T>(program: Program, use: (rig: Rig) => Promise<T>): Promise<T> {
  const relay = { DELIVERY_TRANSPORT: 'relay', RELAY_URL: `smtp://127.0.0.1:${program.sink.port}?tls=none` };
  const server = await startServer({ ...relay, DATA_DIR: program.dataDir });
  const sql = new Client({ connectionString: await runningPostgresUrl(program.dataDir) });
  try {
    await sql.connect();
    return await use({ ...program, server, sql });
  } finally {
    await sql.end();
    await server.stop();
  }
}

async function measureRunning(rig: Rig): Promise<readonly Measurement[]> {
  const created = await fetch(`http://127.0.0.1:${rig.server.port}/automations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${benchApiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(automation),
  });
  if (created.status !== 201) throw new Error(`The automation was refused: ${await created.text()}`);
  await sends(rig);
  const rows: Measurement[][] = [];
  for (let run = 0; run < rig.settings.runs; run++) {
    rows.push([
      await accepted(rig, 'events accepted'),
      await accepted(rig, 'events accepted in batches of 100', batches('unheard')),
      await steps(rig),
      ...(await stepsBesideSends(rig)),
    ]);
  }
  return medians(rows);
}

async function accepted(
  { server, settings }: Rig,
  name: string,
  sent: LoadCase = events('unheard'),
): Promise<Measurement> {
  const load = await measureHttp(server, sent, settings);
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
async function steps(rig: Rig): Promise<Measurement> {
  const started = performance.now();
  await measureHttp(rig.server, events('begun'), { ...rig.settings, messages: runs });
  await stepsDone(rig);
  const seconds = (performance.now() - started) / 1_000;
  return { name: 'steps of automations', value: (runs * stepsOfRun) / seconds, unit: 'steps/s' };
}

async function stepsDone({ sql }: Rig): Promise<void> {
  await until(async () => {
    const { rows } = await sql.query<{ left: string }>(
      `SELECT (SELECT count(*) FROM custom_event_occurrences) + (SELECT count(*) FROM automation_runs WHERE completed_at IS NULL) AS left`,
    );
    return Number(rows[0]?.left) === 0;
  }, 600_000);
}

/** Single sends alone, then while {@link runs} runs take their steps. */
async function stepsBesideSends(rig: Rig): Promise<readonly Measurement[]> {
  const alone = await sends(rig);
  await measureHttp(rig.server, events('begun'), { ...rig.settings, messages: runs });
  const begun = await stepsOf(rig);
  const started = performance.now();
  const beside = await sends(rig);
  const rate = ((await stepsOf(rig)) - begun) / ((performance.now() - started) / 1_000);
  await stepsDone(rig);
  return [
    { name: 'single sends alone', value: alone, unit: 'ms (p99)' },
    { name: 'single sends beside steps of automations', value: beside, unit: 'ms (p99)' },
    { name: 'single sends beside steps, compared with alone', value: beside / alone, unit: 'times (p99)' },
    { name: 'steps of automations beside full single sends', value: rate, unit: 'steps/s' },
  ];
}

async function stepsOf({ sql }: Rig): Promise<number> {
  const { rows } = await sql.query<{ count: string }>('SELECT count(*) FROM automation_run_steps');
  return Number(rows[0]?.count);
}

async function sends({ server, settings, sink }: Rig): Promise<number> {
  const before = sink.received;
  const load = await measureHttp(server, singleSends('4 KB'), settings, (count) => sink.waitFor(before + count));
  return percentile(load.latencies, 0.99);
}

interface Restart {
  readonly seconds: number;
  readonly rate: number;
  readonly megabytes: number;
}

/** Each start is followed by events, and the memory is that after them. */
async function restarts(program: Program): Promise<readonly Restart[]> {
  const all: Restart[] = [];
  for (let run = 0; run < Math.max(program.settings.runs, 3); run++) {
    const started = performance.now();
    const restart = await withServer(program, async (rig) => {
      const seconds = (performance.now() - started) / 1_000;
      const { value: rate } = await accepted(rig, '');
      return { seconds, rate, megabytes: peakMegabytesOf(rig.server.pid) };
    });
    all.push(restart);
  }
  return all;
}

function compared(few: readonly Restart[], many: readonly Restart[]): readonly Measurement[] {
  const median = (restarts: readonly Restart[], of: keyof Restart): number =>
    restarts.map((restart) => restart[of]).sort((a, b) => a - b)[Math.floor(restarts.length / 2)] ?? NaN;
  const row = (name: string, of: keyof Restart, unit: string): readonly Measurement[] => [
    { name: `${name}, few runs asleep`, value: median(few, of), unit },
    { name: `${name}, ${(sleepingRuns / 1e6).toFixed(1)} million runs asleep`, value: median(many, of), unit },
  ];
  return [
    ...row('start to ready', 'seconds', 's'),
    ...row('events accepted after a start', 'rate', 'events/s'),
    ...row('memory of the server process after events', 'megabytes', 'MB'),
  ];
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
