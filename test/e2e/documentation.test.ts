import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { transform } from '@swc/core';
import ts from 'typescript';
import { startProgram, testApiKey, testEnvironment, testSender, TestProgram } from '../support/programs/program.js';
import { createTestDatabase } from '../support/servers/test-database.js';
import { until } from '../support/runner/until.js';
import { followersPage, followersText } from '../../scripts/generate/write-followers.js';
import { configurationPage, withVariables } from '../../scripts/generate/write-variables.js';

/** Inside the package, so that `postrider` and `resend` resolve as from a file in the clone. */
const workDir = resolve('dist/documentation');

beforeAll(() => mkdir(workDir, { recursive: true }));

afterAll(() => rm(workDir, { recursive: true, force: true }));

type Words = Readonly<Record<string, string>>;

async function codeBlock(page: string, language: string): Promise<string> {
  const text = await readFile(page, 'utf8');
  const code = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  if (code === undefined) throw new Error(`${page} has no ${language} block`);
  return code;
}

it('the table of variables is the one that the configuration describes', async () => {
  const page = await readFile(configurationPage, 'utf8');
  expect(page).toBe(withVariables(page));
});

it('docs/who-follows.md says which triggers and consumers there are', async () => {
  expect(await readFile(followersPage, 'utf8')).toBe(followersText());
});

it('docs/dashboard.md names the pages of the rail in their order', async () => {
  const navigation = await readFile('apps/dashboard/src/frame/navigation.ts', 'utf8');
  const { nav } = JSON.parse(await readFile('apps/dashboard/src/words/en/frame.json', 'utf8')) as { nav: Words };
  const labels = [...navigation.matchAll(/label: 'frame:nav\.(\w+)'/g)].map(([, key = '']) => nav[key]);
  const [frame = ''] = /\*\*Frame\.\*\*[\s\S]*?the user\./.exec(await readFile('docs/dashboard.md', 'utf8')) ?? [];
  const isNamed = new RegExp(`(?<![A-Za-z])(${Object.values(nav).join('|')})(?![A-Za-z])`, 'g');
  expect([...frame.replaceAll('\n', ' ').matchAll(isNamed)].map(([name]) => name)).toEqual(labels);
  expect(frame).not.toMatch(/\bInsights\b/);
});

it('the README has at most 150 lines', async () => {
  expect((await readFile('README.md', 'utf8')).split('\n').length).toBeLessThanOrEqual(151);
});

it('every link between the pages points to a file, and to a heading of it if the link names one', async () => {
  const broken: string[] = [];
  for (const page of await pages()) {
    for (const [, target = ''] of (await readFile(page, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = '', heading] = target.split('#', 2);
      const file = path === '' ? page : join(dirname(page), path);
      const text = await readFile(file, 'utf8').catch(() => undefined);
      if (text === undefined || (heading !== undefined && !headings(text).includes(heading))) {
        broken.push(`${page}: ${target}`);
      }
    }
  }
  expect(broken).toEqual([]);
});

it('the custom transport of docs/extending.md compiles, starts and delivers', async () => {
  const code = await codeBlock('docs/extending.md', 'ts');
  const source = join(workDir, 'outbox.ts');
  await writeFile(source, code);
  expect(compilerErrors(source)).toEqual([]);
  const script = join(workDir, 'outbox.mjs');
  await writeFile(script, (await transform(code, { filename: 'outbox.ts' })).code);

  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'postrider-documentation-'));
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...testEnvironment(database, folder) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const url = await until(() => /ready at (\S+)/.exec(output)?.[1], 120_000);
    const response = await fetch(`${url}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testApiKey}` },
      body: JSON.stringify({ from: testSender, to: 'ann@sink.test', subject: 'Outbox', text: 'Hello' }),
    });
    const { id } = (await response.json()) as { id: string };
    const mail = join(folder, 'outbox', `${id}.eml`);
    await until(async () => (await readFile(mail, 'utf8').catch(() => '')).includes('Subject: Outbox'));
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}, 300_000);

it('the README’s five lines with the resend package send an email', async () => {
  const program: TestProgram = await startProgram();
  try {
    const script = join(workDir, 'first-email.mjs');
    await writeFile(script, (await codeBlock('README.md', 'js')).replace('http://127.0.0.1:3000', program.url));
    const child = spawn(process.execPath, [script], {
      env: { PATH: process.env.PATH, POSTRIDER_KEY: testApiKey },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'exit');
    expect(output).toMatch(/id: '[0-9a-f-]{36}'/);
    const messages = await until(async () => {
      const response = await program.request('/sandbox/messages');
      const { data } = (await response.json()) as { data: { id: string; to: string[]; subject: string }[] };
      return data.length > 0 && data;
    });
    expect(messages).toMatchObject([{ to: ['you@inbox.test'], subject: 'Hello' }]);
    const message = await program.request(`/sandbox/messages/${messages[0]?.id}`);
    expect(await message.json()).toMatchObject({ dkim: 'pass', html: expect.stringContaining('<p>Hi.</p>') });
  } finally {
    await program.stop();
  }
});

async function pages(): Promise<string[]> {
  const docs = await readdir('docs', { recursive: true });
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'test/bench/README.md']
    .concat(docs.map((name) => join('docs', name)))
    .filter((name) => name.endsWith('.md'));
}

/** The names of the headings in links, as GitHub makes them. */
function headings(text: string): string[] {
  return Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** The errors in this file. The files that it imports are checked with everything else. */
function compilerErrors(file: string): string[] {
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
  const program = ts.createProgram([file], { ...options, noEmit: true });
  const diagnostics = ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
