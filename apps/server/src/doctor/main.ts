import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Config, ConfigError, readConfig } from '#platform/config';
import { DataDirInUseError, lockDataDir, runningPostgresUrl, startEmbeddedPostgres } from '#platform/embedded-postgres';
import { secretKeyOf } from '../secret-key.js';
import { consult } from './consult.js';
import { DoctorReport, formatReport } from './run-doctor.js';

/** `npm run doctor`: prints the report, `--json` as JSON; exit status 1 where anything is red, 2 where nothing could be said. */
async function main(): Promise<void> {
  // eslint-disable-next-line no-restricted-syntax -- like the server, this is where the configuration comes from
  const config = readConfig(process.env);
  const report = await withDatabase(config, async (databaseUrl) =>
    consult({ config, databaseUrl, secretKey: await secretKeyOf(config) }),
  );
  const text = process.argv.includes('--json') ? JSON.stringify(report, undefined, 2) : formatReport(report);
  process.stdout.write(`${text}\n`);
  process.exitCode = report.level === 'red' ? 1 : 0;
}

/** The database of the configuration: a server of its own, that of the running program, or the embedded one for a moment. */
async function withDatabase(
  config: Config,
  work: (databaseUrl: string) => Promise<DoctorReport>,
): Promise<DoctorReport> {
  const { databaseUrl, dataDir } = config.values;
  if (databaseUrl !== undefined) return work(databaseUrl);
  await access(join(dataDir, 'postgres')).catch(() => {
    throw new DoctorError(`Postrider has not been started on ${dataDir} yet: start it once with npm start.`);
  });
  const lock = await lockDataDir(dataDir).catch((error: unknown) => {
    if (error instanceof DataDirInUseError) return undefined;
    throw error;
  });
  if (lock === undefined) return work(await urlOfRunning(dataDir));
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, onLog: () => {} });
    try {
      return await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    await lock.release();
  }
}

async function urlOfRunning(dataDir: string): Promise<string> {
  const url = await runningPostgresUrl(dataDir);
  if (url !== undefined) return url;
  throw new DoctorError(
    'The database of the running program cannot be reached from here: set DOCTOR_LISTEN=3099, restart, and ask GET http://127.0.0.1:3099/doctor.',
  );
}

class DoctorError extends Error {}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration cannot be used:\n  ${error.problems.join('\n  ')}`;
  if (error instanceof DoctorError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 2;
});
