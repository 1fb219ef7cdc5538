import type { Subcommand, CommandOption } from './command.js';
import { commands } from './commands.js';

/** The help of the whole program. */
export function help(environment: NodeJS.ProcessEnv): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`);
  return `Postrider, a self-hosted email delivery service.

Usage: ${programCall(environment)} [command] [options]

${list.join('\n')}

  --help, -h     explains the program, or the command before it
  --version, -v  prints the version

Exit status: 0; 1 if it failed or found something; 2 if the command is written wrongly. The help of a command says more.
`;
}

export function helpOf(command: Subcommand, environment: NodeJS.ProcessEnv): string {
  const width = Math.max(0, ...(command.options ?? []).map((option) => shown(option).length)) + 2;
  const options = (command.options ?? [])
    .map((option) => `  ${shown(option).padEnd(width)}${option.meaning}\n`)
    .join('');
  return `${command.summary}\n\n${usageOf(command, environment)}\n\n${options}${options === '' ? '' : '\n'}${command.notes}\n`;
}

/** One line that says how a command is written, in the way in which this program was started. */
export function usageOf(command: Subcommand, environment: NodeJS.ProcessEnv): string {
  const options = command.options === undefined ? [] : ['[options]'];
  return ['Usage:', callOf(command, environment), command.operands, ...options].filter(Boolean).join(' ');
}

function callOf({ name, script }: Subcommand, environment: NodeJS.ProcessEnv): string {
  const isScript = environment.npm_package_name === 'postrider' && environment.npm_lifecycle_event === script;
  if (isScript && script !== undefined) return script === 'start' ? 'npm start' : `npm run ${script} --`;
  return `${programCall(environment)} ${name}`;
}

export function programCall(environment: NodeJS.ProcessEnv): string {
  return environment.npm_lifecycle_event === 'npx' ? 'npx postrider' : 'postrider';
}

function shown({ name, value }: CommandOption): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}
