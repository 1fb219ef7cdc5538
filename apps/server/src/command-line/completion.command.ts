import { Subcommand, CommandCall, UsageError } from './command.js';

type Commands = readonly Subcommand[];

const scripts: Readonly<Record<string, (commands: Commands) => string>> = { bash, zsh, fish };

/** `postrider completion bash|zsh|fish`. The scripts contain the words themselves: pressing Tab starts no program. */
export async function completion({ operands }: CommandCall, commands: Commands): Promise<number> {
  const [shell = '', ...others] = operands;
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined || others.length > 0) throw new UsageError('Name one shell: bash, zsh or fish.');
  process.stdout.write(script(commands));
  return 0;
}

const firstOf = (commands: Commands): string => [...commands.map(({ name }) => name), '--help', '--version'].join(' ');

const optionsOf = ({ options = [] }: Subcommand): readonly string[] => [
  ...options.map(({ name }) => `--${name}`),
  '--help',
];

const wordsOf = (command: Subcommand): string =>
  [...(Array.isArray(command.proposes) ? (command.proposes as readonly string[]) : []), ...optionsOf(command)].join(
    ' ',
  );

function bash(commands: Commands): string {
  return `_postrider() {
  local words=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${firstOf(commands)}'
  else
    case "\${COMP_WORDS[1]}" in
${commands.map((command) => `      ${command.name}) words='${wordsOf(command)}' ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _postrider postrider
`;
}

function zsh(commands: Commands): string {
  const cases = commands.map((command) => {
    const files = command.proposes === 'files' ? '; _files' : '';
    return `      ${command.name}) compadd -- ${wordsOf(command)}${files} ;;`;
  });
  return `_postrider() {
  if (( CURRENT == 2 )); then
    compadd -- ${firstOf(commands)}
  else
    case "$words[2]" in
${cases.join('\n')}
    esac
  fi
}
compdef _postrider postrider
`;
}

function fish(commands: Commands): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`\'`)}'`;
  const firsts = commands.map(
    ({ name, summary }) => `complete -c postrider -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
  );
  const seconds = commands.flatMap(({ name, proposes, options = [] }) => {
    const here = `complete -c postrider -n '__fish_seen_subcommand_from ${name}'`;
    const words = Array.isArray(proposes) ? [`${here} -f -a '${proposes.join(' ')}'`] : [];
    return [
      ...words,
      ...options.map((option) => {
        const takesValue = option.value === undefined ? '' : ' -r';
        return `${here} -l ${option.name}${takesValue} -d ${quoted(option.meaning)}`;
      }),
    ];
  });
  return `${[...firsts, ...seconds, 'complete -c postrider -l help', 'complete -c postrider -n __fish_use_subcommand -l version'].join('\n')}\n`;
}
