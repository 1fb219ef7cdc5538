import { readConfig } from '#platform/config';
import { CommandCall, UsageError } from '../command-line/command.js';
import { backUp } from './back-up.js';

/** Makes a backup, and says what it cannot contain. */
export async function backup({ operands, environment }: CommandCall): Promise<number> {
  const [directory, ...others] = operands;
  if (directory === undefined || others.length > 0) throw new UsageError('Name one directory for the backup.');
  const config = readConfig(environment);
  await backUp(config, directory);
  process.stdout.write(
    `The backup is in ${directory}. To restore it, copy it to an empty DATA_DIR, as the command "restore" does, and start.\n`,
  );
  if (config.values.secretKey !== undefined)
    process.stdout.write('Not in it: SECRET_KEY, which comes from the environment.\n');
  if (config.values.messageStore === 's3') process.stdout.write('Not in it: the message bytes in S3.\n');
  return 0;
}
