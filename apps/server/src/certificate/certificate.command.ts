import { revokeCertificate } from '#certificates';
import { readConfig } from '#platform/config';
import { CommandCall, CommandError, UsageError } from '../command-line/command.js';
import { withDatabase } from '../database/with-database.js';

const outOfReach = 'The database of the running program cannot be reached from here. Stop the program and try again.';

/** `certificate revoke <host>`: for a key that others may have. The workers revoke it, and order another one. */
export async function certificate({ operands, environment }: CommandCall): Promise<number> {
  const [action, host, ...others] = operands;
  if (action !== 'revoke' || host === undefined || others.length > 0) throw new UsageError('Name one host.');
  const isKnown = await withDatabase(readConfig(environment), outOfReach, ({ directUrl }) =>
    revokeCertificate(directUrl, host),
  );
  if (!isKnown) throw new CommandError(`${host} has no certificate of this installation.`);
  process.stdout.write(`The running program revokes the certificate of ${host}, and gets a new one.\n`);
  return 0;
}
