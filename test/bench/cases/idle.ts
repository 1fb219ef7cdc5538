import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchCase } from '../bench-case.js';
import { startServer } from '../server-process.js';

const settleMs = 5_000;

/** Measures the cost of the idle program, and the time until it is ready on an existing data directory. */
export const idleCase: BenchCase = {
  name: 'idle',
  open: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-bench-'));
    await (await startServer({ DATA_DIR: dataDir })).stop();
    return {
      measure: async () => {
        const started = performance.now();
        const server = await startServer({ DATA_DIR: dataDir });
        const seconds = (performance.now() - started) / 1_000;
        await new Promise((done) => setTimeout(done, settleMs));
        const megabytes = residentMegabytes(server.pid);
        await server.stop();
        return [
          { name: 'start to ready, with existing data', value: seconds, unit: 's' },
          { name: 'idle memory of the server process', value: megabytes, unit: 'MB' },
        ];
      },
      close: () => rm(dataDir, { recursive: true, force: true }),
    };
  },
};

/** Resident memory of a process, from /proc (Linux; elsewhere NaN). */
function residentMegabytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kilobytes) / 1_024;
  } catch {
    return NaN;
  }
}
