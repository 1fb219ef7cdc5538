import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { parseUserAddress, setUserPassword, UserCommandError } from '#accounts';
import { DomainError } from '#kernel';
import { ConfigError, readConfig } from '#platform/config';
import { NoDatabaseError, withDatabase } from '../database/with-database.js';

const usage = `Usage:
  npm run user -- reset-password <address>          sets a new password and prints it
  npm run user -- reset-password <address> --stdin  reads the new password from the input
  --without-second-factor                           also removes the codes and passkeys of the user`;

const outOfReach = 'The database of the running program cannot be reached from here. Stop the program and try again.';

/** `npm run user -- reset-password <address>`: for who is locked out. Ends all sessions of the user. */
async function main(): Promise<void> {
  const [command, address, ...options] = process.argv.slice(2);
  if (command !== 'reset-password' || address === undefined) throw new UserCommandError(usage);
  // eslint-disable-next-line no-restricted-syntax -- like the server, this is where the configuration comes from
  const config = readConfig(process.env);
  const isGiven = options.includes('--stdin');
  const password = isGiven ? await firstLine() : randomBytes(15).toString('base64url');
  const email = parseUserAddress(address);
  const removesSecondFactor = options.includes('--without-second-factor');
  await withDatabase(config, outOfReach, ({ directUrl }) =>
    setUserPassword(directUrl, { email, password, removesSecondFactor }),
  );
  process.stdout.write(isGiven ? 'The password is set.\n' : `The new password of ${email} is ${password}\n`);
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  return '';
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration cannot be used:\n  ${error.problems.join('\n  ')}`;
  const isForTheOperator = [UserCommandError, NoDatabaseError, DomainError].some((kind) => error instanceof kind);
  if (isForTheOperator) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});
