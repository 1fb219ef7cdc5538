import type { Measurement } from '../bench-case.js';
import { benchApiKey, type ServerProcess } from '../server-process.js';
import { percentile } from './http-load.js';

const reads = 200;

/** How long a page takes to be read, one request after the other. */
export async function readLatency({ port }: ServerProcess, name: string, path: () => string): Promise<Measurement> {
  const latencies: number[] = [];
  for (let i = 0; i < reads; i++) {
    const begun = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}${path()}`, {
      headers: { authorization: `Bearer ${benchApiKey}` },
    });
    if (!answer.ok) throw new Error(await answer.text());
    await answer.json();
    latencies.push(performance.now() - begun);
  }
  latencies.sort((a, b) => a - b);
  const [p50Ms, p99Ms] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return { name, value: p99Ms, unit: 'ms (p99)', p50Ms, p99Ms };
}
