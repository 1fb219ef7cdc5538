import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import { BroadcastSteps } from '../../support/builders/broadcast-steps.js';
import { documentOf, everyBlock } from '../../support/builders/editor-documents.js';
import { until } from '../../support/runner/until.js';
import { BenchCase, BenchSettings, Measurement } from '../bench-case.js';
import { percentile } from '../load/http-load.js';
import { singleSends } from '../load/load-case.js';
import { measureHttp } from '../load/measured-load.js';
import { cpuSecondsOf } from '../process-cpu.js';
import { benchApiKey, ServerProcess, startServer } from '../server-process.js';

const contacts = Number(process.env.BENCH_BROADCAST_CONTACTS ?? 100_000);
const storedRecipients = Number(process.env.BENCH_RECIPIENTS ?? 1_000_000);
const pagesRead = 200;
/** Of a document of the editor. */
const blocks = 40;
/** Single sends of one measurement, and how many of them are under way at once: a quiet sender, not a flood. */
const singles = 400;
const singlesAtOnce = 2;

interface Rig {
  readonly server: ServerProcess;
  readonly sql: Client;
  readonly steps: BroadcastSteps;
  readonly segmentId: string;
}

/**
 * The fan-out alone, single sends beside it, and pages of the recipients of a large broadcast. Nothing is delivered:
 * deliveries have cases of their own.
 */
export const broadcastsCase: BenchCase = {
  name: 'broadcasts',
  open: async (settings) => {
    const rig = await started();
    const largeId = await largeBroadcast(rig);
    return {
      measure: async () => [await planned(rig), ...(await fannedOut(rig, settings)), await pages(rig, largeId)],
      close: async () => {
        await rig.sql.end();
        await rig.server.stop();
      },
    };
  },
};

/** What the document of a broadcast costs: the same mail from the editor and from HTML source, in turn. */
export const broadcastDocumentsCase: BenchCase = {
  name: 'broadcast-documents',
  open: async () => {
    const rig = await started();
    return {
      measure: () => documents(rig),
      close: async () => {
        await rig.sql.end();
        await rig.server.stop();
      },
    };
  },
};

async function started(): Promise<Rig> {
  const server = await startServer({ DELIVERY_TRANSPORT: 'relay', RELAY_URL: 'smtp://127.0.0.1:9?tls=none' });
  const sql = new Client({ connectionString: await runningPostgresUrl(server.dataDir) });
  await sql.connect();
  const query = async (statement: { text: string; values?: unknown[] }): Promise<never[]> =>
    (await sql.query(statement.text, statement.values)).rows as never[];
  const [team] = (await sql.query<{ id: string }>('SELECT id FROM teams LIMIT 1')).rows;
  const steps = new BroadcastSteps({ query }, team?.id ?? '');
  const segmentId = await steps.segment();
  for (let from = 0; from < contacts; from += 10_000) {
    await steps.contacts(segmentId, Math.min(10_000, contacts - from), `bench${from}-`);
  }
  await sql.query('ANALYZE contacts; ANALYZE segment_contacts');
  return { server, sql, steps, segmentId };
}

async function planned({ steps, segmentId }: Rig): Promise<Measurement> {
  const begun = performance.now();
  const id = await steps.start({
    segmentId,
    options: { localTime: { property: 'zone', timeZone: 'UTC' } },
    scheduledAt: later(),
  });
  await until(async () => (await steps.progressOf(id)).planned === contacts, 600_000);
  const seconds = (performance.now() - begun) / 1_000;
  await steps.setStatus(id, 'canceled');
  return { name: 'broadcast, its audience fixed', value: contacts / seconds, unit: 'contacts/s' };
}

function later(): Date {
  return new Date(Date.now() + 10 * 24 * 3_600_000);
}

async function fannedOut(rig: Rig, settings: BenchSettings): Promise<Measurement[]> {
  const { server, steps, segmentId } = rig;
  const alone = await singlesP99(rig, settings);
  const whole = await sent(rig, () => steps.start({ segmentId }));
  const id = await steps.start({ segmentId });
  await until(async () => ((await steps.progressOf(id)).accepted ?? 0) > 0);
  const beside = await singlesP99(rig, settings);
  await until(async () => (await steps.stateOf(id)).status === 'sent', 600_000);
  const memory = await peakMemory(server);
  return [
    { name: 'broadcast, accepted', value: whole.rate, unit: 'emails/s', cpuMs: whole.cpuMs },
    { name: 'single sends, alone', value: alone, unit: 'ms (p99)' },
    { name: 'single sends beside a broadcast', value: beside, unit: 'ms (p99)' },
    { name: 'single sends beside a broadcast, compared with alone', value: beside / alone, unit: 'times (p99)' },
    { name: 'memory of the server process after broadcasts', value: memory, unit: 'MB' },
  ];
}

interface Sent {
  readonly rate: number;
  readonly cpuMs: number;
}

/** `start` returns the id of the broadcast that it has started. */
async function sent({ server, steps }: Rig, start: () => Promise<string>): Promise<Sent> {
  const cpu = cpuSecondsOf(server.pid);
  const begun = performance.now();
  const id = await start();
  await until(async () => (await steps.stateOf(id)).status === 'sent', 600_000);
  const seconds = (performance.now() - begun) / 1_000;
  return { rate: contacts / seconds, cpuMs: ((cpuSecondsOf(server.pid) - cpu) * 1_000) / contacts };
}

const isRepeat = (block: object): boolean => (block as { type: string }).type === 'repeat';

/** A broadcast written in the editor, and one whose HTML source is what the editor's document becomes. */
async function documents(rig: Rig): Promise<Measurement[]> {
  const all = Array.from({ length: 2 }, () => everyBlock().content.filter((block) => !isRepeat(block))).flat();
  const content = documentOf(...all.slice(0, blocks));
  const documentId = await draft(rig, '<p></p>');
  await ask(rig, 'POST', '/editor/content', { resource_type: 'broadcast', resource_id: documentId, content });
  const { html } = await ask(rig, 'GET', `/broadcasts/${documentId}`);
  const sourceId = await draft(rig, html ?? '');
  const name = `broadcast of ${blocks} blocks (${Math.round((html?.length ?? 0) / 1000)} KB)`;
  const row = async (label: string, id: string): Promise<Measurement> => {
    const { rate, cpuMs } = await sent(rig, async () => {
      await ask(rig, 'POST', `/broadcasts/${id}/send`, {});
      return id;
    });
    return { name: `${name}, ${label}, accepted`, value: rate, unit: 'emails/s', cpuMs };
  };
  return [await row('as HTML source', sourceId), await row('from the editor', documentId)];
}

async function draft(rig: Rig, html: string): Promise<string> {
  const { segmentId } = rig;
  const body = { segment_id: segmentId, from: 'Acme <hello@sandbox.postrider.test>', subject: 'News', html };
  return (await ask(rig, 'POST', '/broadcasts', body)).id;
}

async function ask(
  { server }: Rig,
  method: string,
  path: string,
  body?: object,
): Promise<{ id: string; html?: string }> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${benchApiKey}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path} was refused: ${await response.text()}`);
  return (await response.json()) as { id: string; html?: string };
}

async function singlesP99({ server }: Rig, settings: BenchSettings): Promise<number> {
  const load = { ...settings, messages: singles, connections: singlesAtOnce };
  return percentile((await measureHttp(server, singleSends('4 KB'), load)).latencies, 0.99);
}

async function peakMemory({ pid }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s{1,10}(\d{1,12})/.exec(status)?.[1] ?? NaN) / 1_024;
}

/** A broadcast that is over, with results of two kinds for each recipient. */
async function largeBroadcast({ sql, steps, segmentId }: Rig): Promise<string> {
  const id = await steps.start({ segmentId }, 'sent');
  await sql.query(
    `WITH made AS (SELECT gen_random_uuid() AS contact_id, n FROM generate_series(1, $3::int) n), written AS (
       INSERT INTO broadcast_recipients (broadcast_id, contact_id, team_id, email, email_id, outcome)
       SELECT $1, contact_id, $2, 'large' || n || '@sink.test', gen_random_uuid(), 'accepted' FROM made
     )
     INSERT INTO broadcast_results (broadcast_id, kind, contact_id, first_at)
     SELECT $1, kind, contact_id, now() FROM made, unnest(ARRAY['sent', 'delivered']) AS kind`,
    [id, steps.teamId, storedRecipients],
  );
  await sql.query('VACUUM ANALYZE broadcast_recipients');
  await sql.query('VACUUM ANALYZE broadcast_results');
  return id;
}

/** From the first page on, one after the other. */
async function pages({ server }: Rig, id: string): Promise<Measurement> {
  const latencies: number[] = [];
  let after = '';
  for (let read = 0; read < pagesRead; read++) {
    const begun = performance.now();
    const answer = await fetch(
      `http://127.0.0.1:${server.port}/broadcasts/${id}/recipients?type=delivered&limit=100${after}`,
      { headers: { authorization: `Bearer ${benchApiKey}` } },
    );
    const page = (await answer.json()) as { has_more: boolean; data: { id: string }[] };
    latencies.push(performance.now() - begun);
    after = page.has_more ? `&after=${page.data.at(-1)?.id}` : '';
  }
  latencies.sort((a, b) => a - b);
  const p99Ms = percentile(latencies, 0.99);
  const name = `page of 100 recipients of ${(storedRecipients / 1e6).toFixed(1)} million`;
  return { name, value: p99Ms, unit: 'ms (p99)', p50Ms: percentile(latencies, 0.5), p99Ms };
}
