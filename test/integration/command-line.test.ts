import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { commands } from '../../apps/server/src/command-line/commands.js';

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const program = 'dist/apps/server/src/main.js';

async function run(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  const env = { PATH: process.env.PATH, DATA_DIR: '/nowhere', ...environment };
  const ended: Partial<Ended> & { code?: number } = await promisify(execFile)(process.execPath, [program, ...args], {
    env,
  }).catch((error: object) => error);
  return { status: ended.code ?? 0, stdout: ended.stdout ?? '', stderr: ended.stderr ?? '' };
}

it('prints its version, and a help that names every command', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  expect(await run(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  const { status, stdout } = await run(['--help']);
  expect(status).toBe(0);
  for (const { name } of commands) expect(stdout).toMatch(new RegExp(`^ {2}${name} +[A-Z]`, 'm'));
});

it.each(commands.map((command) => [command.name, command] as const))(
  'explains %s with its options and exit statuses',
  async (name, { options = [] }) => {
    const { status, stdout } = await run([name, '--help']);
    expect([status, stdout]).toEqual([0, expect.stringContaining('Exit status: 0')]);
    expect(stdout).toContain(`Usage: postrider ${name}`);
    for (const option of options) expect(stdout).toContain(`--${option.name}`);
  },
);

it.each([
  [['doctro'], 'There is no command "doctro".\nUsage: postrider start|doctor|'],
  [['doctor', '--jsn'], "Unknown option '--jsn'"],
  [['doctor', 'now'], 'The doctor takes no "now".'],
  [['start', 'now'], 'The start takes neither'],
  [['backup'], 'Name one directory for the backup.\nUsage: postrider backup <directory>\n'],
  [['upgrade'], 'Say upgrade --check: the start of a new version upgrades the database by itself.'],
  [['restore', 'a', 'b'], 'Usage: postrider restore <directory>\n'],
  [['user', 'reset-password'], 'Usage: postrider user reset-password <address> [options]\n'],
  [['certificate', 'show'], 'Usage: postrider certificate revoke <host>\n'],
  [['check', 'mail.json', '--report', 'pdf'], '--report is one of text, sarif, junit.\n'],
  [['cells', 'part'], 'Usage: postrider cells connect\n'],
  [['completion', 'toString'], 'Name one shell'],
])('ends with status 2 and says what is wrong with %j', async (args, message) => {
  expect(await run(args)).toEqual({ status: 2, stdout: '', stderr: expect.stringContaining(message) });
});

it('ends with the status of a failure, and a sentence, where a command cannot do its work', async () => {
  const nothing = expect.stringMatching(/^Postrider has not been started on \/nowhere yet: start it once\.\n$/);
  expect(await run(['doctor'])).toEqual({ status: 2, stdout: '', stderr: nothing });
  expect(await run(['user', 'reset-password', 'ann@acme.test'])).toEqual({ status: 1, stdout: '', stderr: nothing });
  expect(await run(['backup', '/tmp'], { HTTP_PORT: 'x' })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('The configuration cannot be used:\n  HTTP_PORT'),
  });
});

it('shows the usage in the way in which it was started', async () => {
  const script = { npm_package_name: 'postrider', npm_lifecycle_event: 'check-email' };
  expect((await run(['check'], script)).stderr).toContain('Usage: npm run check-email -- <file> [options]\n');
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const { script: name } of commands) if (name !== undefined) expect(scripts).toHaveProperty(name);
  const npx = { npm_lifecycle_event: 'npx' };
  expect((await run(['check'], npx)).stderr).toContain('Usage: npx postrider check <file> [options]\n');
});

it('has a shell complete commands, their words and their options', async () => {
  const { stdout: script } = await run(['completion', 'bash']);
  const completed = async (...words: string[]): Promise<string[]> => {
    const asked = `COMP_WORDS=(${words.join(' ')} '')\nCOMP_CWORD=${words.length}\n_postrider\necho "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', `${script}${asked}`]);
    return stdout.trim().split(' ');
  };
  expect(await completed('postrider')).toEqual(expect.arrayContaining(commands.map(({ name }) => name)));
  expect(await completed('postrider', 'doctor')).toEqual(['--json', '--loop-back', '--help']);
  expect(await completed('postrider', 'user')).toContain('reset-password');
  for (const shell of ['zsh', 'fish'])
    expect((await run(['completion', shell])).stdout).toContain('without-second-factor');
});
