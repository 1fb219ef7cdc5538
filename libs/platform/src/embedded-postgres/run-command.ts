import { spawn } from 'node:child_process';

export interface CommandOutcome {
  /** Undefined when the file could not be started at all; `output` then says why. */
  readonly code: number | undefined;
  readonly output: string;
}

/** A command ready to be spawned, perhaps as another user. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * The whole environment of every process started here. PostgreSQL reads PGPORT, PGDATA, TZ and the locale from its
 * environment, and the caller's have nothing to do with this server. Its messages stay English, so they can be matched.
 */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
} as const;

/** Runs a command to its end. Never rejects. */
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
