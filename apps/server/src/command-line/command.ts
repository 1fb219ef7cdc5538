/** A sentence for the person who started the command. */
export class CommandError extends Error {}

/** The command was written wrongly. The message says in what way. */
export class UsageError extends Error {}

export interface CommandOption {
  readonly name: string;
  /** What follows the option, as it is shown: `<domain>`. Without it the option stands alone. */
  readonly value?: string;
  /** The value if the option is not given. */
  readonly default?: string;
  readonly meaning: string;
}

/** What stood behind the name of a command. */
export interface CommandCall {
  readonly operands: readonly string[];
  /** The options that were given and those with a default, by their names; `true` for one without a value. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly environment: NodeJS.ProcessEnv;
}

/** Runs a command and returns the exit status. */
export type RunCommand = (call: CommandCall) => Promise<number>;

/** One of the things that `postrider` does, as the help, the completion of shells and `runCommand` need it. */
export interface Subcommand {
  readonly name: string;
  /** For the list of commands: one sentence. */
  readonly summary: string;
  /** What stands behind the name, as it is shown. */
  readonly operands?: string;
  readonly options?: readonly CommandOption[];
  /** What the help says after the options. */
  readonly notes: string;
  /** What a shell proposes for operands: these words, or files. */
  readonly proposes?: readonly string[] | 'files';
  /** The script of package.json that runs it in a clone. */
  readonly script: string | undefined;
  /** The exit status if it could not do its work. */
  readonly failure: 1 | 2;
  /** Undefined for the start itself, which takes neither operands nor options. */
  readonly load?: () => Promise<RunCommand>;
}
