import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { transform } from '@swc/core';
import ts from 'typescript';
import { startProgram, testApiKey, testEnvironment, testSender, TestProgram } from '../support/program.js';
import { createTestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { withVariables } from '../support/write-variables.js';

/** Inside the package, so that `postrider` and `resend` are found as they are from a file in the clone. */
const workshop = resolve('dist/readme');
let readme: string;

beforeAll(async () => {
  readme = await readFile('README.md', 'utf8');
  await mkdir(workshop, { recursive: true });
});

afterAll(() => rm(workshop, { recursive: true, force: true }));

function codeBlock(language: string): string {
  const code = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1];
  if (code === undefined) throw new Error(`The README has no ${language} block`);
  return code;
}

it('the README’s table of variables is the one the configuration describes', () => {
  expect(readme).toBe(withVariables(readme));
});

it('the README’s custom transport compiles, starts and delivers', async () => {
  const code = codeBlock('ts');
  const source = join(workshop, 'outbox.ts');
  await writeFile(source, code);
  expect(compilerErrors(source)).toEqual([]);
  const script = join(workshop, 'outbox.mjs');
  await writeFile(script, (await transform(code, { filename: 'outbox.ts' })).code);

  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'postrider-readme-'));
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...testEnvironment(database, folder) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const url = await until(() => /ready at (\S+)/.exec(output)?.[1], 120_000);
    const answer = await fetch(`${url}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testApiKey}` },
      body: JSON.stringify({ from: testSender, to: 'ann@sink.test', subject: 'Outbox', text: 'Hello' }),
    });
    const { id } = (await answer.json()) as { id: string };
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
    const script = join(workshop, 'first-email.mjs');
    await writeFile(script, codeBlock('js').replace('http://127.0.0.1:3000', program.url));
    const child = spawn(process.execPath, [script], {
      env: { PATH: process.env.PATH, POSTRIDER_KEY: testApiKey },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'exit');
    expect(output).toMatch(/id: '[0-9a-f-]{36}'/);
    const messages = await until(async () => {
      const answer = await program.request('/sandbox/messages');
      const { data } = (await answer.json()) as { data: { id: string; to: string[]; subject: string }[] };
      return data.length > 0 && data;
    });
    expect(messages).toMatchObject([{ to: ['you@inbox.test'], subject: 'Hello' }]);
    const message = await program.request(`/sandbox/messages/${messages[0]?.id}`);
    expect(await message.json()).toMatchObject({ dkim: 'pass', html: expect.stringContaining('<p>Hi.</p>') });
  } finally {
    await program.stop();
  }
});

/** Of this file; what it imports is checked with everything else. */
function compilerErrors(file: string): string[] {
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
  const program = ts.createProgram([file], { ...options, noEmit: true });
  const diagnostics = ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
