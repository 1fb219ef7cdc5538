import { generateKeyPairSync, sign } from 'node:crypto';
import { cpus, totalmem } from 'node:os';
import type { BenchSettings, Measurement } from './bench-case.js';
import { shortfallOf, targetOf } from './targets.js';

/** The median of the runs, by value, of each row. */
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
export function print(rows: readonly Measurement[], { runs, messages }: BenchSettings): void {
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const rsa2048SignatureMs = signatureMs();
  console.log(
    `\n${machine}; median of ${runs} runs of ${messages} emails (of 100 KB: a fifth), DKIM RSA-2048, synchronous_commit on\n`,
  );
  console.table(Object.fromEntries(rows.map((row) => [row.name, columnsOf(row, rows)])));
  console.log(
    `One RSA-2048 signature: ${rsa2048SignatureMs.toFixed(2)} ms of CPU on this machine, part of every delivery above.`,
  );
  console.log(JSON.stringify({ machine, rsa2048SignatureMs, runs, messages, rows }));
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

/** What one DKIM signature costs on this machine: the largest part of a message, and no program can make it cheaper. */
function signatureMs(): number {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const data = Buffer.alloc(600, 'x');
  const count = 300;
  const started = process.cpuUsage();
  for (let i = 0; i < count; i++) sign('sha256', data, privateKey);
  return process.cpuUsage(started).user / 1_000 / count;
}
