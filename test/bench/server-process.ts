import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const benchApiKey = 're_bench_0123456789abcdef';

export interface ServerProcess {
  readonly port: number;
  /** SMTP submission with implicit TLS. */
  readonly smtpPort: number;
  readonly pid: number;
  readonly dataDir: string;
  /** Deletes the data, unless it is kept or `DATA_DIR` was given. */
  stop(options?: { readonly keepsData: boolean }): Promise<void>;
  /** Sends SIGKILL. The data stays, and so does its PostgreSQL until the next server on this data takes it over. */
  kill(): Promise<void>;
}

let binary = process.execPath;

/** From now on, runs the program on another Node than the benchmark. */
export function runServersOn(nodeBinary: string): void {
  binary = nodeBinary;
}

/**
 * Starts the built program in a separate process on a fresh data directory, with the default configuration. `root`: the
 * checkout whose build is started.
 */
export async function startServer(environment: Readonly<Record<string, string>>, root = '.'): Promise<ServerProcess> {
  const dataDir = environment.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'postrider-bench-')));
  const child = spawn(binary, ['--max-semi-space-size=64', resolve(root, 'dist/apps/server/src/main.js')], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HTTP_PORT: '0',
      SMTP_LISTEN: '127.0.0.1:0+tls',
      SMTP_CONNECTIONS_PER_ADDRESS: '1000',
      LOG_LEVEL: 'error',
      BOOTSTRAP_API_KEY: benchApiKey,
      RATE_LIMIT_PER_SECOND: '1000000',
      ...environment,
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { port, smtpPort } = await portsOf(child);
  return {
    port,
    smtpPort,
    pid: child.pid as number,
    dataDir,
    stop: async ({ keepsData } = { keepsData: environment.DATA_DIR !== undefined }) => {
      child.kill('SIGTERM');
      await once(child, 'exit');
      if (!keepsData) await rm(dataDir, { recursive: true, force: true });
    },
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

function portsOf(child: ChildProcess): Promise<{ port: number; smtpPort: number }> {
  return new Promise((found, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const match = /ready at http:\/\/[^\s:]*:(\d+)\s[^]{0,2000}SMTP {1,20}127\.0\.0\.1:(\d+) TLS/.exec(output);
      if (match !== null) found({ port: Number(match[1]), smtpPort: Number(match[2]) });
    });
    child.once('exit', () => reject(new Error(`The server did not start:\n${output}`)));
  });
}
