import { ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DoctorReport } from '../../apps/server/src/doctor/run-doctor.js';
import { describeUnless } from '../support/runner/unless.js';
import { until } from '../support/runner/until.js';

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  /** Its exit status and signal. */
  readonly ended: Promise<unknown[]>;
  readonly output: () => string;
}

const email = {
  from: 'Acme <hello@sandbox.postrider.test>',
  to: 'you@inbox.test',
  subject: 'Packed',
  html: '<p>It works.</p>',
  attachments: [{ filename: 'large.txt', content: Buffer.alloc(300_000, 'x').toString('base64') }],
};

/** The packages that the program needs come from the registry of npm. */
function whyNoRegistry(): string | undefined {
  try {
    execFileSync('npm', ['view', 'reflect-metadata', 'version'], { stdio: 'ignore', timeout: 30_000 });
    return undefined;
  } catch {
    return 'the registry of npm cannot be reached';
  }
}

describeUnless(whyNoRegistry())('the packed program', () => {
  let folder: string;
  const environment = {
    // As from a terminal, without the settings of the npm that runs the tests.
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
    HTTP_PORT: '0',
    SMTP_LISTEN: '127.0.0.1:0',
    DOCTOR_TIME_SERVERS: '127.0.0.1:1',
  };
  const run = (file: string, ...args: string[]): Promise<{ stdout: string }> =>
    promisify(execFile)(file, args, { cwd: folder, env: environment });
  const running = new Set<ChildProcess>();

  /** Resolves when the program is ready. */
  const start = async (file: string, ...args: string[]): Promise<Started> => {
    const child = spawn(file, args, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // Its streams are those of the program that npx starts: they close when that has ended.
    const ended = once(child, 'close').finally(() => running.delete(child));
    const url = await until(() => {
      if (child.exitCode !== null) throw new Error(`The program did not start:\n${output}`);
      return /ready at (\S+)\s[\s\S]{0,2000}Stop with Ctrl-C/.exec(output)?.[1];
    }, 60_000);
    return { child, url, ended, output: () => output };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-packed-'));
    await promisify(execFile)(process.execPath, ['scripts/pack.mjs', folder]);
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    await writeFile(join(folder, 'package.json'), '{}');
    await run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', `./postrider-${version}.tgz`);
  }, 300_000);

  afterAll(async () => {
    for (const child of running) child.kill('SIGTERM');
    await Promise.all([...running].map((child) => once(child, 'close')));
    await rm(folder, { recursive: true, force: true });
  });

  it('starts in an empty folder, delivers an email and examines itself', async () => {
    const { child, url, ended, output } = await start('npx', 'postrider');
    expect(output()).toContain(`  Data            ${join(folder, 'data')}\n`);
    const headers = { authorization: `Bearer ${/API key\s+(re_\S+)/.exec(output())?.[1]}` };

    const sent = await fetch(`${url}/emails`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(email),
    });
    expect(sent.status).toBe(200);
    const { id } = await until(async () => {
      const list = (await (await fetch(`${url}/sandbox/messages`, { headers })).json()) as { data: { id: string }[] };
      return list.data[0];
    });
    // The inbox reads a message in a thread, whose modules are linked apart.
    const message = await (await fetch(`${url}/sandbox/messages/${id}`, { headers })).json();
    expect(message).toMatchObject({ subject: 'Packed', dkim: 'pass', html: expect.stringContaining('It works.') });
    expect(await (await fetch(`${url}/`)).text()).toContain('<!doctype html>');

    const { stdout } = await run('npx', 'postrider', 'doctor', '--json').catch((error: { stdout: string }) => error);
    const { checks } = JSON.parse(stdout) as DoctorReport;
    expect(checks.find(({ check }) => check === 'Database')?.findings[0]).toMatchObject({ level: 'green' });

    // The shell between npx and the program passes no signal on.
    child.kill('SIGTERM');
    await ended;
    expect(output()).toContain('Stopping: finishing the work under way.');
  }, 120_000);

  it('starts again without npx, and a signal reaches it', async () => {
    const { child, ended, output } = await start('node_modules/.bin/postrider', 'start');
    expect(output()).not.toContain('API key');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }, 120_000);

  it('is imported by programs that extend it', async () => {
    const program = `import { DeliveryTransport, startPostrider } from 'postrider'; console.log(typeof startPostrider, typeof DeliveryTransport)`;
    const { stdout } = await run(process.execPath, '--input-type=module', '--eval', program);
    expect(stdout).toBe('function function\n');
  });
});
