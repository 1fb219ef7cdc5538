import { ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { CHILD_ENVIRONMENT, Command } from './run-command.js';

export interface PostmasterExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines it logged, which usually say why. */
  readonly log: string;
}

const FAST_SHUTDOWN_MS = 20_000;
const REMEMBERED_LINES = 20;

/** The PostgreSQL server process that we started. */
export class Postmaster {
  /** Resolves when it has ended, for whatever reason. Never rejects. */
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
   * Its own process group: Ctrl-C in a terminal signals the whole group of the program, and PostgreSQL would end
   * before the program had finished its work with it.
   *
   * @param staleParentPid a pid of an old postmaster.pid that another process has now; see `stopOrphan`.
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

  /** Ends sessions, writes a checkpoint, exits; after 20 s without one, recovery at the next start does that work. */
  stop(): Promise<void> {
    this.stopping ??= this.shutDown();
    return this.stopping;
  }

  private async shutDown(): Promise<void> {
    this.child.kill('SIGINT');
    const patience = new AbortController();
    const tooLong = delay(FAST_SHUTDOWN_MS, 'too long', { signal: patience.signal }).catch(() => 'ended');
    if ((await Promise.race([this.exited, tooLong])) === 'too long') this.child.kill('SIGQUIT');
    await this.exited;
    patience.abort();
  }
}
