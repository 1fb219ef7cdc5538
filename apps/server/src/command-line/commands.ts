import type { Subcommand } from './command.js';

const doneOrNot = 'Exit status: 0, 1 if it could not be done, 2 if the command is written wrongly.';

/** The commands, in the order of the help. What they do is loaded when it is asked for. */
export const commands: readonly Subcommand[] = [
  {
    name: 'start',
    summary: 'Runs the server. `postrider` alone does the same.',
    notes: `Environment variables configure it. Without any, its data is in ./data. The first start prints an API key.

Exit status: 0 after SIGTERM or SIGINT, 1 if it could not start or a second signal ended it at once.`,
    script: 'start',
    failure: 1,
  },
  {
    name: 'doctor',
    summary: 'Checks the installation, from the database to the reverse name of its addresses.',
    options: [
      { name: 'json', meaning: 'prints the report as JSON' },
      { name: 'loop-back', value: '<domain>', meaning: 'sends one message from this domain to itself instead' },
    ],
    notes: 'Exit status: 0, 1 if anything is red, 2 if no check could run.',
    script: 'doctor',
    failure: 2,
    load: async () => (await import('../doctor/doctor.command.js')).doctor,
  },
  {
    name: 'backup',
    summary: 'Copies DATA_DIR with its database, also while the server runs.',
    operands: '<directory>',
    notes: `The directory must be new or empty. With DATABASE_URL, back up that PostgreSQL with its own tools.

${doneOrNot}`,
    proposes: 'files',
    script: 'backup',
    failure: 1,
    load: async () => (await import('../backup/backup.command.js')).backup,
  },
  {
    name: 'restore',
    summary: 'Copies a backup to DATA_DIR, which must be new or empty.',
    operands: '<directory>',
    notes: `Start the server afterwards: the queue goes on. Mail that was delivered after the backup is delivered again.

${doneOrNot}`,
    proposes: 'files',
    script: 'restore',
    failure: 1,
    load: async () => (await import('../backup/restore.command.js')).restore,
  },
  {
    name: 'upgrade',
    summary: 'Says what this version will do to the database at its start, and changes nothing.',
    options: [{ name: 'check', meaning: 'has to be given: the start itself upgrades' }],
    notes: 'Exit status: 0, 1 if this version cannot start on the database, 2 if the command is written wrongly.',
    script: undefined,
    failure: 1,
    load: async () => (await import('../database/upgrade.command.js')).upgrade,
  },
  {
    name: 'user',
    summary: 'Sets a new password for a person who is locked out, and ends all their sessions.',
    operands: 'reset-password <address>',
    options: [
      { name: 'stdin', meaning: 'reads the new password from the input; without it, one is made and printed' },
      { name: 'without-second-factor', meaning: 'also removes codes and passkeys' },
    ],
    notes: doneOrNot,
    proposes: ['reset-password'],
    script: 'user',
    failure: 1,
    load: async () => (await import('../user/user.command.js')).user,
  },
  {
    name: 'certificate',
    summary: 'Revokes the certificate of a host whose key others may have; the running server gets another one.',
    operands: 'revoke <host>',
    notes: doneOrNot,
    proposes: ['revoke'],
    script: undefined,
    failure: 1,
    load: async () => (await import('../certificate/certificate.command.js')).certificate,
  },
  {
    name: 'check',
    summary: 'Checks an email before it is sent, for a build.',
    operands: '<file>',
    options: [
      {
        name: 'fail-on',
        value: '<severity>',
        default: 'problem',
        meaning: 'makes the exit status 1: problem, warning or advice (problem)',
      },
      { name: 'report', value: '<format>', default: 'text', meaning: 'what is printed: text, sarif or junit (text)' },
      { name: 'links', meaning: 'requests each link, to find dead ones' },
    ],
    notes: `The file is the body of POST /emails. POSTRIDER_URL (http://127.0.0.1:3000) and POSTRIDER_KEY say where and who.

Exit status: 0, 1 for findings, 2 if the email is refused or cannot be checked.`,
    proposes: 'files',
    script: 'check-email',
    failure: 2,
    load: async () => (await import('../check/check.command.js')).check,
  },
  {
    name: 'cells',
    summary: 'Connects the database of this cell with those of the others.',
    operands: 'connect',
    notes: `Run it in each cell, the home cell first, with the same CELLS and SECRET_KEY everywhere, and with CELL, DATABASE_URL and
  CELL_DATABASES=name=postgres://…,name=postgres://…   the databases of all other cells
then again in each cell, until every line says "connected".

${doneOrNot}`,
    proposes: ['connect'],
    script: 'cells',
    failure: 1,
    load: async () => (await import('../cells/cells.command.js')).cells,
  },
  {
    name: 'completion',
    summary: 'Prints what makes a shell complete commands and options.',
    operands: 'bash|zsh|fish',
    notes: `bash:  source <(postrider completion bash)          in ~/.bashrc
zsh:   source <(postrider completion zsh)           in ~/.zshrc, after compinit
fish:  postrider completion fish | source           in ~/.config/fish/config.fish

Exit status: 0, 2 if the shell is none of these.`,
    proposes: ['bash', 'zsh', 'fish'],
    script: undefined,
    failure: 2,
    load: async () => {
      const { completion } = await import('./completion.command.js');
      return (call) => completion(call, commands);
    },
  },
];
