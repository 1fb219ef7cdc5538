import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import { BenchCase, BenchSettings, Measurement } from '../bench-case.js';
import { singleSends } from '../load/load-case.js';
import { measureHttp } from '../load/measured-load.js';
import { startServer } from '../server-process.js';
import { Sink } from '../sink.js';

const warmUpEmails = 2_000;
const stores = ['postgres', 'directory'] as const;
const sizes = ['4 KB', '100 KB'] as const;
/** Of what is written a moment after the last reply, such as counters. */
const settleMs = 3_000;

/** What a delivered email writes to PostgreSQL's log and leaves on its disk, from which the size of a database follows. */
export const footprintCase: BenchCase = {
  name: 'footprint',
  isLong: true,
  runsOnce: true,
  open: async (settings) => {
    const sink = await Sink.start();
    return {
      measure: async () => {
        const rows: Measurement[] = [];
        for (const store of stores)
          for (const size of sizes) rows.push(...(await footprintOf(sink, store, size, settings)));
        return rows;
      },
      close: () => sink.stop(),
    };
  },
};

async function footprintOf(
  sink: Sink,
  store: (typeof stores)[number],
  size: (typeof sizes)[number],
  { messages, connections }: BenchSettings,
): Promise<Measurement[]> {
  const server = await startServer({
    DELIVERY_TRANSPORT: 'relay',
    RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    MESSAGE_STORE: store,
  });
  const client = new Client({ connectionString: await runningPostgresUrl(server.dataDir) });
  await client.connect();
  const written = async (): Promise<{ readonly log: number; readonly disk: number }> => {
    const { rows } = await client.query<{ log: number; disk: number }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS log,
              pg_database_size(current_database())::float8 AS disk`,
    );
    return rows[0] as { log: number; disk: number };
  };
  const send = async (count: number): Promise<void> => {
    const before = sink.received;
    await measureHttp(server, singleSends(size), { runs: 1, messages: count, connections }, (sent) =>
      sink.waitFor(before + sent),
    );
    await delay(settleMs);
  };
  try {
    await send(warmUpEmails);
    const before = await written();
    await send(messages);
    const after = await written();
    const row = (what: string, bytes: number): Measurement => ({
      name: `${what} of an email of ${size}, contents in ${store === 'postgres' ? 'PostgreSQL' : 'files'}`,
      value: bytes / messages / 1_024,
      unit: 'KB',
    });
    return [row("PostgreSQL's log", after.log - before.log), row("PostgreSQL's disk", after.disk - before.disk)];
  } finally {
    await client.end();
    await server.stop();
  }
}
