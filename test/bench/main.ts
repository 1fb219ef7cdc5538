import { execFileSync } from 'node:child_process';
import { BenchCase, BenchSettings, Measurement, SkippedCase } from './bench-case.js';
import { acceptingCases } from './cases/accepting.js';
import { atRateCase } from './cases/at-rate.js';
import { automationsCase } from './cases/automations.js';
import { besideBroadcastCase } from './cases/beside-broadcast.js';
import { broadcastDocumentsCase, broadcastsCase } from './cases/broadcasts.js';
import { cToolsCases } from './cases/c-tools.js';
import { costCase } from './cases/cost.js';
import { distanceCase } from './cases/distance.js';
import { documentsCase } from './cases/documents.js';
import { contactsCase } from './cases/contacts.js';
import { contactFilesCase } from './cases/contact-files.js';
import { deliveringCases } from './cases/delivering.js';
import { footprintCase } from './cases/footprint.js';
import { hostileCase } from './cases/hostile.js';
import { inboundCases } from './cases/inbound.js';
import { insightsCase } from './cases/insights.js';
import { idleCase } from './cases/idle.js';
import { postfixCases } from './cases/postfix.js';
import { scrollingCase } from './cases/scrolling.js';
import { searchCase } from './cases/search.js';
import { storedCase } from './cases/stored.js';
import { typingCase } from './cases/typing.js';
import { webhooksCase } from './cases/webhooks.js';
import { workersCases } from './cases/workers.js';
import { medians, print } from './report.js';
import { runServersOn } from './server-process.js';
import { missedBy } from './targets.js';

const cases: readonly BenchCase[] = [
  ...deliveringCases,
  ...postfixCases,
  ...cToolsCases,
  ...inboundCases,
  ...acceptingCases,
  atRateCase,
  webhooksCase,
  hostileCase,
  idleCase,
  storedCase,
  broadcastsCase,
  broadcastDocumentsCase,
  besideBroadcastCase,
  contactFilesCase,
  contactsCase,
  automationsCase,
  searchCase,
  insightsCase,
  scrollingCase,
  documentsCase,
  typingCase,
  ...workersCases,
  distanceCase,
  costCase,
  footprintCase,
];

async function main(chosen: readonly string[]): Promise<void> {
  const unknown = chosen.filter((name) => !cases.some((benchCase) => benchCase.name === name));
  if (unknown.length > 0)
    throw new Error(`No such case: ${unknown.join(', ')}. Cases: ${cases.map(({ name }) => name).join(', ')}`);
  const settings = {
    runs: Number(process.env.BENCH_RUNS ?? 3),
    messages: Number(process.env.BENCH_MESSAGES ?? 10_000),
    connections: 64,
  };
  const rows: Measurement[] = [];
  for (const benchCase of cases) {
    const isWanted = chosen.length === 0 ? benchCase.isLong !== true : chosen.includes(benchCase.name);
    if (isWanted) rows.push(...(await runOnAll(benchCase, settings)));
  }
  await print(rows, settings);
  failIfMissed(rows);
}

/** `BENCH_MISSED_BY=1.2`: the run fails if a target is missed by more than a fifth. Default: it only prints. */
function failIfMissed(rows: readonly Measurement[]): void {
  const factor = Number(process.env.BENCH_MISSED_BY ?? Infinity);
  const missed = missedBy(factor, rows);
  if (missed.length === 0) return;
  console.log(`Missed by more than a factor of ${factor}:\n${missed.join('\n')}`);
  process.exitCode = 1;
}

/** `BENCH_NODES`: comma-separated Node binaries that run the program in turn. Default: the present one. */
async function runOnAll(benchCase: BenchCase, settings: BenchSettings): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const binary of (process.env.BENCH_NODES ?? process.execPath).split(',')) {
    const node = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim();
    console.log(`on Node ${node}`);
    runServersOn(binary);
    rows.push(...(await run(benchCase, settings)).map((row) => ({ ...row, node })));
  }
  return rows;
}

async function run(benchCase: BenchCase, settings: BenchSettings): Promise<Measurement[]> {
  console.log(`${benchCase.name} ...`);
  try {
    const rig = await benchCase.open(settings);
    try {
      const results: (readonly Measurement[])[] = [];
      const runs = benchCase.runsOnce === true ? 1 : settings.runs;
      for (let i = 0; i < runs; i++) results.push(await rig.measure());
      return medians(results);
    } finally {
      await rig.close();
    }
  } catch (error) {
    if (!(error instanceof SkippedCase)) throw error;
    console.log(`skipped ${benchCase.name}: ${error.message}`);
    return [];
  }
}

await main(process.argv.slice(2));
