import { parseArgs, ParseArgsConfig } from 'node:util';
import { version } from '../version.js';
import { Subcommand, CommandCall, UsageError } from './command.js';
import { commands } from './commands.js';
import { help, helpOf, programCall, usageOf } from './help.js';

/** Runs a command with what stands behind the program's name, and returns the exit status. Errors are printed. */
export async function runCommand(given: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const [name = '', ...args] = given;
  if (isHelp(name)) return print(help(environment));
  if (name === '--version' || name === '-v') return print(`${version}\n`);
  const command = commands.find((each) => each.name === name);
  if (command === undefined) {
    const usage = `Usage: ${programCall(environment)} ${commands.map((each) => each.name).join('|')}`;
    process.stderr.write(`There is no command "${name}".\n${usage}\n`);
    return 2;
  }
  if (args.some(isHelp)) return print(helpOf(command, environment));
  try {
    const call = callOf(command, args, environment);
    const run = await command.load?.();
    if (run === undefined) throw new UsageError('The start takes neither operands nor options.');
    return await run(call);
  } catch (error) {
    if (!(error instanceof UsageError)) {
      const { explainError } = await import('./explain-error.js');
      process.stderr.write(`${explainError(error)}\n`);
      return command.failure;
    }
    process.stderr.write(`${error.message}\n${usageOf(command, environment)}\nWith --help it says more.\n`);
    return 2;
  }
}

const isHelp = (argument: string): boolean => argument === '--help' || argument === '-h';

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function callOf(
  { options: known = [] }: Subcommand,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): CommandCall {
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    known.map(({ name, value, default: initial }) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', default: initial },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { operands: positionals, options: values as CommandCall['options'], environment };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
