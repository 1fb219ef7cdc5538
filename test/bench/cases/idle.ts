import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BenchCase } from '../bench-case.js';
import { ServerProcess, startServer } from '../server-process.js';

/** When V8 has given back what the start needed: it waits until little is allocated. */
const idleMs = 60_000;
const starts = 3;

/** The memory of the program a minute after its start, and the shortest of three starts on existing data. */
export const idleCase: BenchCase = {
  name: 'idle',
  runsOnce: true,
  open: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-bench-'));
    await (await startServer({ DATA_DIR: dataDir })).stop();
    return {
      measure: async () => {
        const seconds: number[] = [];
        let server: ServerProcess | undefined;
        for (let no = 0; no < starts; no++) {
          await server?.stop();
          const started = performance.now();
          server = await startServer({ DATA_DIR: dataDir });
          seconds.push((performance.now() - started) / 1_000);
        }
        await delay(idleMs);
        const megabytes = residentMegabytes((server as ServerProcess).pid);
        await server?.stop();
        return [
          { name: 'start to ready, with existing data', value: Math.min(...seconds), unit: 's' },
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
