import { ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { CHILD_ENVIRONMENT, Command } from './run-command.js';

export interface PostmasterExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines of its log, which usually contain the reason. */
  readonly log: string;
}

const FAST_SHUTDOWN_MS = 20_000;
const REMEMBERED_LINES = 20;

/** The PostgreSQL server process that we started. */
export class Postmaster {
  /** Resolves when the server has ended, for any reason. Never rejects. */
  readonly exited: Promise<PostmasterExit>;
  private readonly lines: string[] = [];
  private stopping: Promise<void> | undefined;

  private constructor(
    private readonly child: ChildProcess,
    onLog: (line: string) => void,
  ) {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      this.lines.push(line);
      if (this.lines.length > REMEMBERED_LINES) this.lines.shift();
      onLog(line);
    });
    this.exited = new Promise((resolve) => {
      child.once('error', (error) => resolve({ code: null, signal: null, log: error.message }));
      child.once('close', (code, signal) => resolve({ code, signal, log: this.lines.join('\n') }));
    });
  }

  /**
   * Starts the server in its own process group. Ctrl-C in a terminal signals the whole group of the program, and PostgreSQL
   * would end before the program has finished its work.
   *
   * @param staleParentPid pid in an old postmaster.pid that now belongs to another process; see `stopOrphan`.
   */
  static start(
    { file, args, uid, gid }: Command,
    staleParentPid: number | undefined,
    onLog: (line: string) => void,
  ): Postmaster {
    const env = staleParentPid === undefined ? {} : { PG_GRANDPARENT_PID: `${staleParentPid}` };
    const child = spawn(file, args, {
      uid,
      gid,
      cwd: '/',
      env: { ...CHILD_ENVIRONMENT, ...env },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return new Postmaster(child, onLog);
  }

  get isStopping(): boolean {
    return this.stopping !== undefined;
  }

  /**
   * Ends sessions, writes a checkpoint and exits. After 20 s it exits without a checkpoint, and the next start
   * recovers.
   */
  stop(): Promise<void> {
    this.stopping ??= this.shutDown();
    return this.stopping;
  }

  private async shutDown(): Promise<void> {
    this.child.kill('SIGINT');
    const timeout = new AbortController();
    const tooLong = delay(FAST_SHUTDOWN_MS, 'too long', { signal: timeout.signal }).catch(() => 'ended');
    if ((await Promise.race([this.exited, tooLong])) === 'too long') this.child.kill('SIGQUIT');
    await this.exited;
    timeout.abort();
  }
}
