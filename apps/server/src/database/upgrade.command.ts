import { readConfig } from '#platform/config';
import { CommandCall, CommandError, UsageError } from '../command-line/command.js';
import { version } from '../version.js';
import { DatabaseEncodingError, NewerSchemaError, pendingMigrations } from './migrate.js';
import { withDatabase } from './with-database.js';

const outOfReach = 'The database of the running program cannot be reached from here. Stop the program and try again.';

/** `upgrade --check`: what this version would do to the database at its start. Changes nothing. */
export async function upgrade({ operands, options, environment }: CommandCall): Promise<number> {
  if (operands.length > 0 || options.check !== true)
    throw new UsageError('Say upgrade --check: the start of a new version upgrades the database by itself.');
  const config = readConfig(environment);
  const pending = await withDatabase(config, outOfReach, ({ directUrl }) => pendingMigrations(directUrl)).catch(
    refused,
  );
  const first = `Postrider ${version}`;
  if (pending.length === 0) {
    process.stdout.write(`${first} starts on this database without a migration.\n`);
    return 0;
  }
  process.stdout.write(
    `${first} changes this database at its start, in ${pending.length === 1 ? 'one step' : `${pending.length} steps`}:\n` +
      `${pending.map((name) => `  ${described(name)}\n`).join('')}` +
      'Processes of the old version that run may finish, and cannot be started any more. Only a backup leads back.\n',
  );
  return 0;
}

function refused(error: unknown): never {
  if (error instanceof NewerSchemaError || error instanceof DatabaseEncodingError)
    throw new CommandError(error.message);
  throw error;
}

/** `NoticeRecipients1763830010000` is "2025-11-22 notice recipients". */
function described(name: string): string {
  const [, words = name, time] = /^(\D+)(\d{13})$/.exec(name) ?? [];
  const text = words.replaceAll(/(?<!^)(?=[A-Z])/g, ' ').toLowerCase();
  return time === undefined ? text : `${new Date(Number(time)).toISOString().slice(0, 10)} ${text}`;
}
