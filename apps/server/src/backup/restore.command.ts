import { resolve } from 'node:path';
import { readConfig } from '#platform/config';
import { CommandCall, UsageError } from '../command-line/command.js';
import { restoreBackup } from './restore-backup.js';

/** Puts a backup where the next start finds it. */
export async function restore({ operands, environment }: CommandCall): Promise<number> {
  const [directory, ...others] = operands;
  if (directory === undefined || others.length > 0) throw new UsageError('Name the directory of one backup.');
  const config = readConfig(environment);
  await restoreBackup(config, directory);
  process.stdout.write(
    `The backup is restored in ${resolve(config.values.dataDir)}. Start the server: the queue goes on.\n`,
  );
  return 0;
}
