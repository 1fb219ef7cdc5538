import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { parseUserAddress, setUserPassword } from '#accounts';
import { readConfig } from '#platform/config';
import { CommandCall, UsageError } from '../command-line/command.js';
import { withDatabase } from '../database/with-database.js';

const outOfReach = 'The database of the running program cannot be reached from here. Stop the program and try again.';

/** `user reset-password <address>`: for who is locked out. Ends all sessions of the user. */
export async function user({ operands, options, environment }: CommandCall): Promise<number> {
  const [action, address, ...others] = operands;
  if (action !== 'reset-password' || address === undefined || others.length > 0)
    throw new UsageError('Name the address of a user.');
  const config = readConfig(environment);
  const isGiven = options.stdin === true;
  const password = isGiven ? await firstLine() : randomBytes(15).toString('base64url');
  const email = parseUserAddress(address);
  const removesSecondFactor = options['without-second-factor'] === true;
  await withDatabase(config, outOfReach, ({ directUrl }) =>
    setUserPassword(directUrl, { email, password, removesSecondFactor }),
  );
  process.stdout.write(isGiven ? 'The password is set.\n' : `The new password of ${email} is ${password}\n`);
  if (config.values.passwordSignIn === 'off') {
    process.stdout.write('It counts once the program is started with PASSWORD_SIGN_IN=on.\n');
  }
  return 0;
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  return '';
}
