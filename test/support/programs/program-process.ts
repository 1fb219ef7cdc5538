import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { until } from '../runner/until.js';

/** The built program in a separate process. */
export interface ProgramProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  /** Ports of SMTP submission, in the order of SMTP_LISTEN. */
  readonly smtpPorts: readonly number[];
  /** What it has printed so far, logs included. */
  output(): string;
  /** Resolves with the exit status, or null after a signal. */
  readonly exited: Promise<number | null>;
  /** Sends SIGTERM and resolves with the exit status. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

/** Resolves when the program is ready; rejects with its output when it ends before. */
export async function startProgramProcess(
  environment: Readonly<Record<string, string>>,
  script = 'dist/apps/server/src/main.js',
): Promise<ProgramProcess> {
  const child = spawn(process.execPath, ['--max-semi-space-size=64', resolve(script)], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const url = await until(() => {
    if (child.exitCode !== null) throw new Error(`The program did not start:\n${text}`);
    return /ready at (http:\S+)\s[\s\S]{0,2000}Stop with Ctrl-C/.exec(text)?.[1];
  }, 120_000);
  const smtpLine = /^ {2}SMTP {12}(.*)$/m.exec(text)?.[1] ?? '';
  return {
    child,
    pid: child.pid as number,
    url,
    port: Number(new URL(url).port),
    smtpPorts: [...smtpLine.matchAll(/:(\d+) /g)].map((match) => Number(match[1])),
    output: () => text,
    exited,
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
