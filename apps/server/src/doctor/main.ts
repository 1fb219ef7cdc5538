import { parseArgs } from 'node:util';
import { Config, ConfigError, readConfig } from '#platform/config';
import type { DatabaseAddress } from '#postgres/database';
import { NoDatabaseError, withDatabase } from '../database/with-database.js';
import { MissingSecretKeyError, secretKeyOf } from '../secret-key.js';
import { consult } from './consult.js';
import { DoctorReport, formatReport } from './run-doctor.js';

const outOfReach =
  'The database of the running program cannot be reached from here: set DOCTOR_LISTEN=3099, restart, and ask GET http://127.0.0.1:3099/doctor.';

/**
 * `npm run doctor`: prints the report, with `--json` as JSON, with `--loop-back <domain>` that of a message to ourselves. Exit status 1 if anything is red, 2 if no check could
 * run.
 */
async function main(): Promise<void> {
  // eslint-disable-next-line no-restricted-syntax -- like the server, this is where the configuration comes from
  const config = readConfig(process.env);
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, 'loop-back': { type: 'string' } } });
  const report = await withDatabase(config, outOfReach, (database) => examine(config, database, values['loop-back']));
  const text = values.json === true ? JSON.stringify(report, undefined, 2) : formatReport(report);
  process.stdout.write(`${text}\n`);
  process.exitCode = report.level === 'red' ? 1 : 0;
}

async function examine(config: Config, database: DatabaseAddress, loopBack?: string): Promise<DoctorReport> {
  return consult({ config, database, secretKey: await secretKeyOf(config, database.directUrl), loopBack });
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration cannot be used:\n  ${error.problems.join('\n  ')}`;
  if (error instanceof NoDatabaseError || error instanceof MissingSecretKeyError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 2;
});
