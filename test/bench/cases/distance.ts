import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#postgres/embedded';
import { startProgramProcess } from '../../support/programs/program-process.js';
import { DelayingProxy } from '../../support/servers/delaying-proxy.js';
import { BenchCase, BenchSettings, Measurement } from '../bench-case.js';
import { singleSends } from '../load/load-case.js';
import { measureHttp } from '../load/measured-load.js';
import { ServerProcess, startServer } from '../server-process.js';
import { Sink } from '../sink.js';

/** Round trips between worker and PostgreSQL, in ms. */
const distances = (process.env.BENCH_DISTANCES ?? '0,30,80,150').split(',').map(Number);
const idleSeconds = 15;
/** Time in which a worker whose queue is empty becomes idle: it keeps its lane for a second. */
const settleMs = 3_000;

/**
 * Delivers mail that was accepted before, with a worker at some distance from PostgreSQL, and counts what the worker sends
 * when it is idle.
 */
export const distanceCase: BenchCase = {
  name: 'distance',
  isLong: true,
  open: async (settings) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-bench-'));
    const postgres = await startEmbeddedPostgres({ dataDir, onLog: () => {} });
    const secretKey = randomBytes(32).toString('base64');
    const shared = { DATABASE_URL: postgres.url, SECRET_KEY: secretKey };
    const api = await startServer({ ...shared, ROLES: 'api,smtp' });
    const sink = await Sink.start();
    const rig: Rig = { shared, api, sink, settings };
    return {
      measure: async () => {
        const rows: Measurement[] = [];
        for (const roundTripMs of distances) {
          rows.push(...(await measureAt(roundTripMs, rig, rows[0]?.value)));
        }
        return rows;
      },
      close: async () => {
        await api.stop();
        await sink.stop();
        await postgres.stop();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  },
};

interface Rig {
  readonly shared: Readonly<Record<'DATABASE_URL' | 'SECRET_KEY', string>>;
  readonly api: ServerProcess;
  readonly sink: Sink;
  readonly settings: BenchSettings;
}

async function measureAt(
  roundTripMs: number,
  { shared, api, sink, settings }: Rig,
  nearRate?: number,
): Promise<Measurement[]> {
  const before = sink.received;
  const { count } = await measureHttp(api, singleSends('4 KB'), settings);
  const proxy = await DelayingProxy.listen(shared.DATABASE_URL, roundTripMs);
  const dataDir = await mkdtemp(join(tmpdir(), 'postrider-bench-'));
  const url = proxy.urlOf(shared.DATABASE_URL);
  const worker = await startProgramProcess({
    ...shared,
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    ROLES: process.env.BENCH_ROLE ?? 'delivery',
    HTTP_PORT: '0',
    LOG_LEVEL: 'error',
    DELIVERY_TRANSPORT: 'relay',
    RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
  });
  try {
    await sink.waitFor(before + 1);
    const [startedAt, first] = [performance.now(), sink.received];
    const traffic = proxy.traffic;
    await sink.waitFor(before + count);
    const delivered = before + count - first;
    const rate = delivered / ((performance.now() - startedAt) / 1_000);
    const roundTrips = (proxy.traffic.roundTrips - traffic.roundTrips) / delivered;
    await new Promise((done) => setTimeout(done, settleMs));
    const idleFrom = proxy.traffic;
    await new Promise((done) => setTimeout(done, idleSeconds * 1_000));
    const idle = proxy.traffic;
    const at = `${roundTripMs} ms from PostgreSQL`;
    return [
      { name: `delivered ${at}`, value: rate, unit: 'emails/s' },
      ...(nearRate === undefined ? [] : [{ name: `part of the first rate, ${at}`, value: rate / nearRate, unit: '' }]),
      { name: `round trips of an email, ${at}`, value: roundTrips, unit: '' },
      {
        name: `idle worker, ${at}`,
        value: (idle.statements - idleFrom.statements) / idleSeconds,
        unit: 'statements/s',
      },
      { name: `idle worker, bytes, ${at}`, value: (idle.bytes - idleFrom.bytes) / idleSeconds, unit: 'bytes/s' },
    ];
  } finally {
    await worker.stop();
    await proxy.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
