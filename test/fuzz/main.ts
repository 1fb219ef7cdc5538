import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allParsers } from './all-parsers.js';
import { randomInputs } from './random-inputs.js';
import { isRefusal, maxInputCharacters, measured, RemoteParser } from './remote-parser.js';

/**
 * `npm run fuzz`: hands random, grammar-shaped and mutated input of up to 64 KB to every parser of remote text, in turn,
 * for `FUZZ_SECONDS` (60) in all. An input that takes more than 100 ms of processor time (the least of three tries), or
 * for which a parser throws an undocumented error, is kept in `fuzz-findings/`, and the run fails.
 *
 * `FUZZ_SEED` repeats a run; `npm run fuzz -- SPF` runs only the parsers whose names contain that text.
 */
const maxMs = 100;
const batch = 20;
const directory = 'fuzz-findings';

interface Tally {
  runs: number;
  refusals: number;
  slowestMs: number;
  findings: number;
}

async function fuzz(parser: RemoteParser, seed: number, tally: Tally): Promise<void> {
  const maxCharacters = Math.min(parser.maxCharacters ?? maxInputCharacters, maxInputCharacters);
  for (const text of randomInputs(parser, { seed, count: batch, maxCharacters })) {
    let { ms, error } = await measured(parser, text);
    for (let tries = 1; tries < 3 && ms > maxMs; tries++) {
      ({ ms, error } = await leastOf(ms, parser, text));
    }
    const isCrash = error !== undefined && !isRefusal(parser, error);
    tally.runs++;
    if (error !== undefined) tally.refusals++;
    if (parser.hasDeadline !== true) tally.slowestMs = Math.max(tally.slowestMs, ms);
    if (!isCrash && (ms <= maxMs || parser.hasDeadline === true)) continue;
    const file = join(directory, `${parser.name.replaceAll(' ', '-')}-${seed}-${++tally.findings}.txt`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(file, text);
    console.log(`${parser.name}: ${isCrash ? String(error) : `${Math.round(ms)} ms`}, see ${file}`);
  }
}

async function leastOf(known: number, parser: RemoteParser, text: string): ReturnType<typeof measured> {
  const again = await measured(parser, text);
  return { ms: Math.min(known, again.ms), error: again.error };
}

async function main(chosen: readonly string[]): Promise<void> {
  const parsers = allParsers.filter(({ name }) => chosen.length === 0 || chosen.some((part) => name.includes(part)));
  const firstSeed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_000);
  const until = performance.now() + Number(process.env.FUZZ_SECONDS ?? 60) * 1_000;
  console.log(`FUZZ_SEED=${firstSeed}`);
  const tallies = new Map(parsers.map((parser) => [parser, { runs: 0, refusals: 0, slowestMs: 0, findings: 0 }]));
  for (let seed = firstSeed; performance.now() < until; seed++) {
    for (const [parser, tally] of tallies) await fuzz(parser, seed, tally);
  }
  console.table(
    Object.fromEntries(
      [...tallies].map(([{ name }, tally]) => [name, { ...tally, slowestMs: Number(tally.slowestMs.toFixed(1)) }]),
    ),
  );
  const findings = [...tallies.values()].reduce((sum, tally) => sum + tally.findings, 0);
  const runs = [...tallies.values()].reduce((sum, tally) => sum + tally.runs, 0);
  console.log(`${parsers.length} parsers, ${runs} runs, ${findings} findings`);
  if (findings > 0 || parsers.length === 0) process.exitCode = 1;
}

await main(process.argv.slice(2));
