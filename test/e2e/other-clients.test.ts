import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { codeSamples, SampleRequest } from '../../apps/dashboard/src/logic/code-samples.js';
import { clientPlan } from '../support/clients/client-plan.js';
import { startProgram, testApiKey, testSender, TestProgram } from '../support/programs/program.js';
import { itUnless } from '../support/runner/unless.js';

const run = promisify(execFile);
const folder = 'test/support/clients';
let program: TestProgram;
let work: string;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'samples-'));
  program = await startProgram({}, new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()));
});

afterAll(async () => {
  await program.stop();
  await rm(work, { recursive: true });
});

const works = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** Debian's packages are for Debian's own Python, which may not be the first in PATH. */
const pythonWith = (module: string): string | undefined =>
  ['python3', '/usr/bin/python3'].find((command) => works(command, ['-c', `import ${module}`]));

const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  POSTRIDER_URL: program.url,
  POSTRIDER_KEY: testApiKey,
  RESEND_API_KEY: testApiKey,
  RESEND_API_URL: program.url,
  TEST_SENDER: testSender,
});

async function outputOf(command: string, args: readonly string[], input: string, more: object = {}): Promise<string> {
  const running = run(command, args, { env: { ...environment(), ...more } });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

const requests = pythonWith('requests');
const hasHttparty = works('ruby', ['-e', 'require "httparty"']);
const hasGuzzle = works('php', ['-r', 'require "/usr/share/php/GuzzleHttp/autoload.php";']);

describe('requests as the clients of other languages make them', () => {
  const exchanges = [
    ['Python', requests, 'exchange.py', 'python3-requests is not installed'],
    ['Ruby', hasHttparty ? 'ruby' : undefined, 'exchange.rb', 'ruby-httparty is not installed'],
    ['PHP', hasGuzzle ? 'php' : undefined, 'exchange.php', 'php-guzzlehttp-guzzle is not installed'],
  ] as const;
  for (const [language, command, script, reason] of exchanges) {
    itUnless(command === undefined ? reason : undefined)(
      `${language} finds every field that it reads`,
      async () => {
        const plan = clientPlan(language.toLowerCase(), testSender);
        const output = await outputOf(command ?? '', [join(folder, script)], JSON.stringify(plan));
        const answers = output
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as [string, number, object]);
        expect(answers.map(([name, status]) => [name, status])).toEqual(plan.map(({ name, status }) => [name, status]));
        for (const [index, [, , values]] of answers.entries()) expect(values).toMatchObject(plan[index]?.values ?? {});
      },
      60_000,
    );
  }
});

describe('the examples of the API reference', () => {
  const languages = [
    ['curl', 'sh', works('curl', ['--version']), 'curl is not installed'],
    ['node', process.execPath, true, ''],
    ['python', 'python3', works('python3', ['--version']), 'python3 is not installed'],
    ['ruby', 'ruby', works('ruby', ['--version']), 'ruby is not installed'],
    ['php', 'php', works('php', ['-r', 'exit(function_exists("curl_init") ? 0 : 1);']), 'php-curl is not installed'],
  ] as const;
  for (const [id, command, isThere, reason] of languages) {
    itUnless(isThere ? undefined : reason)(`${id} sends texts as they are, and reads without a body`, async () => {
      const text = `It's "5 \\ $HOME" \`x\` ''' """ {}`;
      const ran = async (request: SampleRequest): Promise<string> => {
        const sample = codeSamples(request, program.url, testApiKey).find((each) => each.id === id);
        const file = join(work, id === 'node' ? 'sample.mjs' : `sample.${id}`);
        await writeFile(file, sample?.code ?? '');
        return outputOf(command, [file], '');
      };
      const body = { from: testSender, to: 'ada@inbox.test', subject: `By ${id}`, text };
      const sent = await ran({ method: 'POST', path: '/emails', body });
      const [emailId = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(sent) ?? [];
      expect((await program.resend.emails.get(emailId)).data).toMatchObject({ subject: body.subject, text });
      expect(await ran({ method: 'GET', path: `/emails/${emailId}`, body: undefined })).toContain(`By ${id}`);
    });
  }
});

describe('the clients themselves', () => {
  const resendOfPython = pythonWith('resend');
  const autoload = process.env.RESEND_PHP_AUTOLOAD;
  const clients = [
    ['Python', resendOfPython, 'real.py', {}, 'the Python package resend is not installed'],
    [
      'Ruby',
      works('ruby', ['-e', 'require "resend"']) ? 'ruby' : undefined,
      'real.rb',
      {},
      'the gem resend is not installed',
    ],
    [
      'PHP',
      autoload === undefined ? undefined : 'php',
      'real.php',
      {},
      'RESEND_PHP_AUTOLOAD does not name resend/resend-php',
    ],
  ] as const;
  for (const [language, command, script, more, reason] of clients) {
    itUnless(command === undefined ? reason : undefined)(`${language} sends, reads and is refused`, async () => {
      const base = language === 'Ruby' ? `${program.url}/` : program.url;
      const php = { RESEND_BASE_URL: base, RESEND_PHP_AUTOLOAD: autoload };
      const output = await outputOf(command ?? '', [join(folder, script)], '', { ...php, ...more });
      expect(JSON.parse(output)).toEqual([
        `From ${language}`,
        ['sandbox.postrider.test'],
        expect.stringContaining('Missing `subject` field.'),
      ]);
    });
  }

  it('the command line lists domains, sends an email and says why one was refused', async () => {
    const cli = join(dirname(createRequire(import.meta.url).resolve('resend-cli/package.json')), 'dist/cli.cjs');
    const quiet = { RESEND_BASE_URL: program.url, RESEND_TELEMETRY_DISABLED: '1', RESEND_NO_UPDATE_NOTIFIER: '1' };
    const json = async (...args: string[]): Promise<Record<string, unknown>> =>
      JSON.parse(await outputOf(process.execPath, [cli, ...args, '--json'], '', quiet)) as Record<string, unknown>;
    expect(await json('domains', 'list')).toMatchObject({ data: [{ name: 'sandbox.postrider.test' }] });
    const message = ['--to', 'ada@inbox.test', '--subject', 'By command', '--text', 'Hi'];
    const { id } = await json('emails', 'send', '--from', testSender, ...message);
    expect(await json('emails', 'get', id as string)).toMatchObject({ id, subject: 'By command' });
    const refused = json('emails', 'send', '--from', 'a@nobody.test', ...message);
    await expect(refused).rejects.toMatchObject({ code: 1 });
  }, 60_000);
});
