import { spawn } from 'node:child_process';

export interface CommandOutcome {
  /** Exit code. Undefined if the file could not be started; `output` then has the reason. */
  readonly code: number | undefined;
  readonly output: string;
}

/** A command to spawn, optionally as another user. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * The complete environment of every process that is started here. PostgreSQL reads PGPORT, PGDATA, TZ and the locale
 * from its environment, and those of the program must not affect this server. Its messages are in English, so that they
 * can be matched.
 */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
} as const;

/** Runs a command and waits for its end. Never rejects. */
export async function runCommand(command: Command): Promise<CommandOutcome> {
  try {
    return await run(command);
  } catch (error) {
    // Some refusals, such as EPERM for another uid, are thrown by `spawn` itself.
    return { code: undefined, output: (error as Error).message };
  }
}

function run({ file, args, uid, gid }: Command): Promise<CommandOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      uid,
      gid,
      cwd: '/',
      env: CHILD_ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve({ code: code ?? -1, output: Buffer.concat(chunks).toString().trim() || `ended by ${signal}` }),
    );
  });
}
