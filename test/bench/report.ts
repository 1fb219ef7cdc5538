import { generateKeyPairSync, sign } from 'node:crypto';
import { cpus, totalmem } from 'node:os';
import { promisify } from 'node:util';
import type { BenchSettings, Measurement } from './bench-case.js';
import { shortfallOf, targetOf } from './targets.js';

/** For each row, the run with the median value. */
export function medians(runs: readonly (readonly Measurement[])[]): Measurement[] {
  const names = [...new Set(runs.flat().map(({ name }) => name))];
  return names.map((name) => {
    const sorted = runs
      .flat()
      .filter((measurement) => measurement.name === name)
      .sort((a, b) => a.value - b.value);
    return sorted[Math.floor(sorted.length / 2)] as Measurement;
  });
}

/** A table for people, then one line of JSON for programs. */
export async function print(rows: readonly Measurement[], { runs, messages }: BenchSettings): Promise<void> {
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const rsa2048SignatureMs = signatureMs();
  const rsa2048SignaturesPerSecond = Math.round(await signaturesPerSecond());
  console.log(
    `\n${machine}; median of ${runs} runs of ${messages} emails (of 100 KB: a fifth), DKIM RSA-2048, synchronous_commit on\n`,
  );
  console.table(Object.fromEntries(rows.map((row) => [`${row.name} (${row.node})`, columnsOf(row, rows)])));
  console.log(
    `One RSA-2048 signature: ${rsa2048SignatureMs.toFixed(2)} ms of CPU on this machine, part of every delivery above. ` +
      `All processors together make ${rsa2048SignaturesPerSecond} a second and can then do nothing else.`,
  );
  console.log(JSON.stringify({ machine, rsa2048SignatureMs, rsa2048SignaturesPerSecond, runs, messages, rows }));
}

function columnsOf(row: Measurement, rows: readonly Measurement[]): Record<string, string> {
  const { value, unit, cpuMs, p50Ms, p99Ms } = row;
  return {
    value: `${value >= 100 ? Math.round(value) : value.toFixed(2)} ${unit}`,
    target: targetOf(row, rows),
    '': shortfallOf(row, rows),
    'CPU ms each': cpuMs?.toFixed(2) ?? '',
    'p50 ms': p50Ms?.toFixed(1) ?? '',
    'p99 ms': p99Ms?.toFixed(1) ?? '',
  };
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signedBytes = Buffer.alloc(600, 'x');

/** The cost of one DKIM signature on this machine: the largest part of a message's cost, and a fixed one. */
function signatureMs(): number {
  const count = 300;
  const started = process.cpuUsage();
  for (let i = 0; i < count; i++) sign('sha256', signedBytes, privateKey);
  return process.cpuUsage(started).user / 1_000 / count;
}

/**
 * The rate of all processors together. Threads of one core share it, so it is less than the time of one signature
 * suggests.
 */
async function signaturesPerSecond(): Promise<number> {
  const signInPool = promisify<string, Buffer, typeof privateKey, Buffer>(sign);
  const each = 300;
  const lines = cpus().length;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: lines }, async () => {
      for (let i = 0; i < each; i++) await signInPool('sha256', signedBytes, privateKey);
    }),
  );
  return (each * lines * 1_000) / (performance.now() - started);
}
