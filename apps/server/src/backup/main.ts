import { ConfigError, readConfig } from '#platform/config';
import { NoDatabaseError } from '../database/with-database.js';
import { BackupError, backUp } from './back-up.js';

/** `npm run backup -- <directory>` */
async function main(): Promise<void> {
  const [directory] = process.argv.slice(2);
  if (directory === undefined)
    throw new BackupError('Name the directory for the backup: npm run backup -- <directory>');
  // eslint-disable-next-line no-restricted-syntax -- like the server, this is where the configuration comes from
  const config = readConfig(process.env);
  await backUp(config, directory);
  process.stdout.write(`The backup is in ${directory}. To restore it, copy it to an empty DATA_DIR and start.\n`);
  if (config.values.secretKey !== undefined)
    process.stdout.write('Not in it: SECRET_KEY, which comes from the environment.\n');
  if (config.values.messageStore === 's3') process.stdout.write('Not in it: the message bytes in S3.\n');
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration cannot be used:\n  ${error.problems.join('\n  ')}`;
  if (error instanceof BackupError || error instanceof NoDatabaseError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});
