import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';

export interface ProgramReport {
  readonly url?: string;
  readonly error?: string;
}

export interface Program {
  readonly pid: number;
  /** Its first line: the address of its PostgreSQL, or the error. Undefined if it was killed before. */
  readonly report: Promise<ProgramReport | undefined>;
  /** Kills its whole process group with SIGKILL, without a chance to clean up. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly binDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Put before the command, such as `setpriv` and its options. */
  readonly prefix?: readonly string[];
}

/** Starts `embedded-postgres-program.ts` in a process group of its own. */
export function runProgram(dataDir: string, options: ProgramOptions = {}): Program {
  const script = resolve('dist/test/support/programs/embedded-postgres-program.js');
  const command = [...(options.prefix ?? []), process.execPath, '--no-warnings', script, dataDir];
  if (options.binDir !== undefined) command.push(options.binDir);
  const child = spawn(command[0]!, command.slice(1), {
    uid: options.uid,
    gid: options.gid,
    env: { ...process.env, NODE_OPTIONS: '', ...options.env },
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(() => {});
  return {
    pid: child.pid!,
    report: firstLine(child),
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
      await exited;
    },
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<ProgramReport | undefined> {
  const lines = createInterface({ input: child.stdout! });
  const line = new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve).once('close', () => resolve(undefined));
  });
  const text = await line;
  return text === undefined ? undefined : (JSON.parse(text) as ProgramReport);
}
