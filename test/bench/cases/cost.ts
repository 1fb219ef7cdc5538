import { Client } from 'pg';
import { runningPostgresUrl } from '#postgres/embedded';
import { BenchCase, BenchSettings, Measurement, SkippedCase } from '../bench-case.js';
import { batches, LoadCase, singleSends } from '../load/load-case.js';
import { MeasuredLoad, measureHttp, measureSmtp } from '../load/measured-load.js';
import { buildCommit, lastRelease } from '../other-commit.js';
import { cpuSecondsOf, ownCpuSecondsOf } from '../process-cpu.js';
import { estimateRatio, RatioEstimate } from '../ratio-estimate.js';
import { ServerProcess, startServer } from '../server-process.js';
import { signatureMs } from '../signature-ms.js';
import { Sink } from '../sink.js';

/** Emails of one burst. Short bursts in turn see the same machine, whatever its neighbours do. */
const burst = 1_000;
/** The first emails of a process, while V8 compiles the hot path. */
const coldEmails = 4_000;
/** From here on an email costs what it costs for as long as the process runs. */
const warmUpEmails = 40_000;
/** With a limit: warm enough for a ratio, since both versions are warmed up alike. */
const warmUpEmailsWithLimit = 8_000;
const statementEmails = 4_000;
const minPairs = 10;
const minPairsWithLimit = 6;
const maxPairs = 60;
/** With a limit. What is not certain after these is within it. */
const maxPairsWithLimit = 12;
/** The comparison ends once the 95 % interval of the ratio is at most this wide on either side. */
const certainWithin = 0.015;
const shownStatements = 15;

type Send = (server: ServerProcess, settings: BenchSettings, arrived: Arrived) => Promise<MeasuredLoad>;
type Arrived = (count: number) => Promise<void>;

const overHttp =
  (loadCase: LoadCase): Send =>
  (server, settings, arrived) =>
    measureHttp(server, loadCase, settings, arrived);

const loads: readonly { readonly name: string; readonly send: Send; readonly share: number }[] = [
  { name: 'single sends of 4 KB', send: overHttp(singleSends('4 KB')), share: 1 },
  { name: 'batches of 100', send: overHttp(batches), share: 1 },
  { name: 'SMTP with TLS', send: measureSmtp, share: 1 },
  { name: 'single sends of 100 KB', send: overHttp(singleSends('100 KB')), share: 0.3 },
];

/**
 * CPU ms of one email, from its request to the last reply of the receiving server. `node` is without its signature, which no
 * version of this program can make cheaper.
 */
interface Cost {
  readonly node: number;
  readonly postgres: number;
}

class Version {
  /** CPU at the end of the last burst. */
  private used: { readonly node: number; readonly all: number } | undefined;

  private constructor(
    readonly name: string,
    private readonly root: string,
    private readonly sink: Sink,
    private server: ServerProcess,
    private readonly signatureMs: number,
  ) {}

  static async start(name: string, root: string, signatureMs: number): Promise<Version> {
    const sink = await Sink.start();
    return new Version(name, root, sink, await startServer(Version.environment(sink), root), signatureMs);
  }

  private static environment(sink: Sink): Record<string, string> {
    return { DELIVERY_TRANSPORT: 'relay', RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none` };
  }

  /**
   * What was used since the end of the burst before, for each email of this one: PostgreSQL vacuums and samples its tables
   * after a burst, while the other version is measured.
   */
  async costOf(send: Send, messages: number): Promise<Cost> {
    const from = this.used ?? this.cpuSeconds();
    const before = this.sink.received;
    const { count } = await send(this.server, { runs: 1, messages, connections: 64 }, (arrived) =>
      this.sink.waitFor(before + arrived),
    );
    this.used = this.cpuSeconds();
    const node = ((this.used.node - from.node) * 1_000) / count;
    return { node: node - this.signatureMs, postgres: ((this.used.all - from.all) * 1_000) / count - node };
  }

  private cpuSeconds(): { readonly node: number; readonly all: number } {
    return { node: ownCpuSecondsOf(this.server.pid), all: cpuSecondsOf(this.server.pid) };
  }

  /** Starts the program again with PostgreSQL's statistics of statements, which cost something themselves. */
  async statements(): Promise<string[]> {
    const { dataDir } = this.server;
    await this.sql(dataDir, `ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`);
    await this.server.stop({ keepsData: true });
    this.server = await startServer({ ...Version.environment(this.sink), DATA_DIR: dataDir }, this.root);
    this.used = undefined;
    const send = overHttp(singleSends('4 KB'));
    await this.sql(dataDir, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    await this.costOf(send, statementEmails);
    await this.sql(dataDir, 'SELECT pg_stat_statements_reset()');
    await this.costOf(send, statementEmails);
    const rows = await this.sql(
      dataDir,
      `SELECT query, calls, total_exec_time + total_plan_time AS ms FROM pg_stat_statements ORDER BY ms DESC LIMIT ${shownStatements}`,
    );
    return rows.map(
      ({ query, calls, ms }) =>
        `${(Number(ms) / statementEmails).toFixed(4)} ms  ${(Number(calls) / statementEmails).toFixed(2)} calls  ` +
        String(query).replaceAll(/\s+/g, ' ').slice(0, 110),
    );
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.sink.stop();
  }

  private async sql(dataDir: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: await runningPostgresUrl(dataDir) });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }
}

/**
 * Bursts in turn, the first one by either version alternately, until the ratio is certain. With a limit, until it is
 * certain on which side of the limit it lies.
 */
async function compare(
  [now, then]: readonly [Version, Version],
  send: Send,
  messages: number,
  atMost: number | undefined,
): Promise<[Cost[], Cost[]]> {
  await now.costOf(send, messages * 2);
  await then.costOf(send, messages * 2);
  const costs: [Cost[], Cost[]] = [[], []];
  const pairs = atMost === undefined ? maxPairs : maxPairsWithLimit;
  for (let pair = 0; pair < pairs; pair++) {
    const [first, second] = pair % 2 === 0 ? [now, then] : [then, now];
    const results = [await first.costOf(send, messages), await second.costOf(send, messages)] as const;
    const [ofNow, ofThen] = first === now ? results : [results[1], results[0]];
    costs[0].push(ofNow);
    costs[1].push(ofThen);
    if (pair + 1 < (atMost === undefined ? minPairs : minPairsWithLimit)) continue;
    const { ratio, halfWidth } = ratioOf(costs, together);
    if (halfWidth <= certainWithin || (atMost !== undefined && Math.abs(ratio - atMost) > halfWidth)) break;
  }
  return costs;
}

const together = ({ node, postgres }: Cost): number => node + postgres;

function ratioOf(
  [now, then]: readonly [readonly Cost[], readonly Cost[]],
  part: (cost: Cost) => number,
): RatioEstimate {
  // PostgreSQL's part is a difference: of a burst with much work in the background it may come out below 0.
  const counted = now.map((cost, index) => [part(cost), part(then[index] as Cost)] as const).filter(areAboveZero);
  return estimateRatio(
    counted.map(([ofNow]) => ofNow),
    counted.map(([, ofThen]) => ofThen),
  );
}

function areAboveZero([ofNow, ofThen]: readonly [number, number]): boolean {
  return ofNow > 0 && ofThen > 0;
}

function rowsOf(load: string, against: string, costs: [Cost[], Cost[]]): Measurement[] {
  const parts = { together, Node: ({ node }: Cost) => node, PostgreSQL: ({ postgres }: Cost) => postgres };
  return Object.entries(parts).flatMap(([label, part]) => {
    const { ratio, halfWidth } = ratioOf(costs, part);
    const meanOf = (side: readonly Cost[]): number => side.map(part).reduce((a, b) => a + b, 0) / side.length;
    const name = `${load}, ${label}`;
    return [
      { name: `${name}, at ${against}`, value: meanOf(costs[1]), unit: 'CPU ms' },
      { name: `${name}, now`, value: meanOf(costs[0]), unit: 'CPU ms' },
      { name: `${name}, now to ${against}`, value: ratio, unit: `times (± ${halfWidth.toFixed(3)})` },
    ];
  });
}

/**
 * CPU of an email by process and by statement, compared with the commit that `BENCH_AGAINST` names, or with the last
 * release (`release`). Both versions run at once and send in turn, so that a machine whose speed changes is fair to both.
 * The signature's own time is printed first and is part of no other figure. The first emails of both processes are
 * printed as "cold", all others are sent after the warm-up.
 *
 * With `BENCH_AT_MOST` it fails if the confidence interval of a ratio lies above this limit, and prints no statements.
 */
export const costCase: BenchCase = {
  name: 'cost',
  isLong: true,
  runsOnce: true,
  open: async () => {
    const revision = process.env.BENCH_AGAINST;
    if (revision === undefined) throw new SkippedCase('BENCH_AGAINST names no commit');
    const atMost = process.env.BENCH_AT_MOST === undefined ? undefined : Number(process.env.BENCH_AT_MOST);
    if (Number.isNaN(atMost)) throw new Error(`BENCH_AT_MOST is no number: ${process.env.BENCH_AT_MOST}`);
    const other = await buildCommit(revision === 'release' ? lastRelease() : revision);
    const signature = signatureMs();
    const now = await Version.start('now', '.', signature);
    const then = await Version.start(other.name, other.directory, signature);
    const single = overHttp(singleSends('4 KB'));
    const cold = [await now.costOf(single, coldEmails), await then.costOf(single, coldEmails)] as const;
    const warmUp = (atMost === undefined ? warmUpEmails : warmUpEmailsWithLimit) - coldEmails;
    await now.costOf(single, warmUp);
    await then.costOf(single, warmUp);
    return {
      measure: async () => {
        const rows: Measurement[] = [
          { name: 'an RSA-2048 signature, part of no figure below', value: signature, unit: 'CPU ms' },
          { name: `the first ${coldEmails} of 4 KB, now`, value: together(cold[0]), unit: 'CPU ms' },
          { name: `the first ${coldEmails} of 4 KB, at ${other.name}`, value: together(cold[1]), unit: 'CPU ms' },
        ];
        for (const row of rows) console.log(`${row.name}: ${row.value.toFixed(3)} ${row.unit}`);
        const slower: string[] = [];
        for (const { name, send, share } of loads) {
          const costs = await compare([now, then], send, burst * share, atMost);
          const measured = rowsOf(name, other.name, costs);
          for (const row of measured) console.log(`${row.name}: ${row.value.toFixed(3)} ${row.unit}`);
          rows.push(...measured);
          const { ratio, halfWidth } = ratioOf(costs, together);
          if (atMost !== undefined && ratio - halfWidth > atMost) slower.push(`${name} ${ratio.toFixed(2)} times`);
        }
        if (slower.length > 0) throw new Error(`More CPU than at ${other.name}: ${slower.join(', ')}`);
        if (atMost !== undefined) return rows;
        for (const version of [then, now]) {
          console.log(
            `\nStatements of one email of 4 KB, ${version.name}:\n${(await version.statements()).join('\n')}`,
          );
        }
        return rows;
      },
      close: async () => {
        await now.stop();
        await then.stop();
        await other.remove();
      },
    };
  },
};
