import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Config } from '#platform/config';
import type { DatabaseAddress } from '#postgres/database';
import { DataDirInUseError, lockDataDir, runningPostgresUrl, startEmbeddedPostgres } from '#postgres/embedded';
import { CommandError } from '../command-line/command.js';
import { configuredDatabase } from './configured-database.js';

/**
 * Runs `work` with the configured database: an external server, the embedded one of the running program, or the
 * embedded one started for this purpose. `outOfReach` is the error text if the running program's database cannot be
 * reached from here.
 */
export async function withDatabase<Result>(
  config: Config,
  outOfReach: string,
  work: (database: DatabaseAddress) => Promise<Result>,
): Promise<Result> {
  const { dataDir } = config.values;
  const given = configuredDatabase(config);
  if (given !== undefined) return work(given);
  await access(join(dataDir, 'postgres')).catch(() => {
    throw new CommandError(`Postrider has not been started on ${dataDir} yet: start it once.`);
  });
  const lock = await lockDataDir(dataDir).catch((error: unknown) => {
    if (error instanceof DataDirInUseError) return undefined;
    throw error;
  });
  if (lock === undefined) return work(withoutPooler(await urlOfRunning(dataDir, outOfReach)));
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, onLog: () => {} });
    try {
      return await work(withoutPooler(postgres.url));
    } finally {
      await postgres.stop();
    }
  } finally {
    await lock.release();
  }
}

const withoutPooler = (url: string): DatabaseAddress => ({ url, directUrl: url });

async function urlOfRunning(dataDir: string, outOfReach: string): Promise<string> {
  const url = await runningPostgresUrl(dataDir);
  if (url === undefined) throw new CommandError(outOfReach);
  return url;
}
