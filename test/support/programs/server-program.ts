import { ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { resolve } from 'node:path';

export interface ServerProgram {
  readonly url: string;
  readonly pid: number;
  /** Present memory in bytes. */
  memory(): Promise<number>;
  /** Peak memory in bytes since the last call of `forgetPeak`. */
  peakMemory(): Promise<number>;
  forgetPeak(): Promise<void>;
  /** Stops it with SIGTERM. */
  stop(): Promise<void>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
}

/** The built program in a separate process. Reading its memory needs Linux. */
export async function runServerProgram(environment: Readonly<Record<string, string>>): Promise<ServerProgram> {
  const child = spawn(process.execPath, [resolve('dist/apps/server/src/main.js')], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await urlOf(child);
  const pid = child.pid as number;
  const status = async (field: string): Promise<number> => {
    const text = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s*(\\d+) kB`).exec(text)?.[1]) * 1024;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    url,
    pid,
    memory: () => status('VmRSS'),
    peakMemory: () => status('VmHWM'),
    forgetPeak: () => writeFile(`/proc/${pid}/clear_refs`, '5'),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

function urlOf(child: ChildProcess): Promise<string> {
  return new Promise((found, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const match = /ready at (http:\S+)/.exec(output);
      if (match?.[1] !== undefined) found(match[1]);
    });
    child.once('exit', () => reject(new Error(`The server did not start:\n${output}`)));
  });
}
