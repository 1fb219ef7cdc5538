import { Config, readConfig } from '#platform/config';
import type { DatabaseAddress } from '#postgres/database';
import { CommandCall, UsageError } from '../command-line/command.js';
import { withDatabase } from '../database/with-database.js';
import { secretKeyOf } from '../secret-key.js';
import { consult } from './consult.js';
import { DoctorReport, formatReport } from './run-doctor.js';

const outOfReach =
  'The database of the running program cannot be reached from here: set DOCTOR_LISTEN=3099, restart, and ask GET http://127.0.0.1:3099/doctor.';

/** Prints the report, or that of a message to ourselves. The exit status is 1 if anything is red. */
export async function doctor({ operands, options, environment }: CommandCall): Promise<number> {
  if (operands.length > 0) throw new UsageError(`The doctor takes no "${operands[0]}".`);
  const config = readConfig(environment);
  const loopBack = options['loop-back'] as string | undefined;
  const report = await withDatabase(config, outOfReach, (database) => examine(config, database, loopBack));
  const text = options.json === true ? JSON.stringify(report, undefined, 2) : formatReport(report);
  process.stdout.write(`${text}\n`);
  return report.level === 'red' ? 1 : 0;
}

async function examine(config: Config, database: DatabaseAddress, loopBack?: string): Promise<DoctorReport> {
  return consult({ config, database, secretKey: await secretKeyOf(config, database.directUrl), loopBack });
}
