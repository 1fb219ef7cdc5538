import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

interface Rules {
  readonly forbidden: readonly { readonly name: string; readonly comment?: string }[];
}

interface Plant {
  readonly file: string;
  readonly imports: string;
  /** The file that is imported imports the first one. */
  readonly andBack?: boolean;
}

const config = resolve('.dependency-cruiser.cjs');
const { forbidden } = createRequire(config)(config) as Rules;

/** By rule: a file that breaks it by what it imports. */
const planted: Record<string, Plant> = {
  'no-cycles': { file: 'libs/platform/src/a/one.ts', imports: './two', andBack: true },
  'features-only-through-their-front-door': {
    file: 'libs/emails/src/infrastructure/room.ts',
    imports: '../../../domains/src/domain/domain',
  },
  'kernel-imports-nothing': { file: 'libs/kernel/src/disk.ts', imports: 'node:fs' },
  'events-are-declarations': { file: 'libs/events/src/team-events.ts', imports: '../../emails/src/index' },
  'domain-is-pure': { file: 'libs/emails/src/domain/email.ts', imports: 'node:crypto' },
  'application-knows-no-technology': { file: 'libs/emails/src/application/send.use-case.ts', imports: 'node:fs' },
  'application-uses-no-technology-or-mime': {
    file: 'libs/emails/src/application/read.query.ts',
    imports: '../../../platform/src/index',
  },
  'drivers-do-not-know-adapters': {
    file: 'libs/webhooks/src/infrastructure/worker/webhook-worker.ts',
    imports: '../persistence/postgres-call-log',
  },
  'drivers-do-not-know-each-other': {
    file: 'libs/sandbox/src/infrastructure/smtp/receiver.ts',
    imports: '../http/inbox.controller',
  },
  'adapters-do-not-know-drivers': {
    file: 'libs/delivery/src/infrastructure/persistence/postgres-outcome-log.ts',
    imports: '../worker/lane-runner',
  },
  'front-doors-export-no-adapters': {
    file: 'libs/emails/src/index.ts',
    imports: './infrastructure/persistence/postgres-email-repository',
  },
  'protocol-knows-no-framework': { file: 'libs/smtp-client/src/protocol/channel.ts', imports: '@nestjs/common' },
  'mail-hosts-know-no-framework': { file: 'libs/mx/src/infrastructure/sites/mx-site.ts', imports: '@nestjs/common' },
  'mime-is-pure': { file: 'libs/mime/src/compose.ts', imports: '../../platform/src/index' },
  'technologies-know-no-features': { file: 'libs/http/src/server/http.ts', imports: '../../../emails/src/index' },
  'pages-keep-their-styles': {
    file: 'apps/dashboard/src/pages/emails/email.tsx',
    imports: '../domains/domains.module.css',
  },
  'dashboard-knows-the-api-only': {
    file: 'apps/dashboard/src/api/client.ts',
    imports: '../../../../libs/kernel/src/index',
  },
  'libs-do-not-know-apps': { file: 'libs/emails/src/emails.module.ts', imports: '../../../apps/server/src/main' },
  'only-tests-import-test': { file: 'apps/server/src/main.ts', imports: '../../../test/support/sink' },
  'no-dev-packages-in-the-program': { file: 'apps/server/src/doctor.ts', imports: 'only-for-development' },
};
for (const { name } of forbidden) {
  const feature = /^(.+)-uses-only-its-features$/.exec(name)?.[1];
  if (feature === undefined) continue;
  // No feature uses feedback, and feedback does not use notices.
  const other = feature === 'feedback' ? 'notices' : 'feedback';
  planted[name] = { file: `libs/${feature}/src/planted.ts`, imports: `../../${other}/src/index` };
}

let directory: string;
let violations: readonly { readonly rule: { readonly name: string }; readonly from: string }[];

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(directory, file)), { recursive: true });
  await writeFile(join(directory, file), text, { flag: 'a' });
}

async function plant({ file, imports, andBack = false }: Plant): Promise<void> {
  await write(file, `export * from '${imports}';\n`);
  if (!imports.startsWith('.')) return;
  const target = join(dirname(file), imports.endsWith('.css') ? imports : `${imports}.ts`);
  await write(target, andBack ? `export * from './${file.slice(file.lastIndexOf('/') + 1, -3)}';\n` : 'export {};\n');
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'import-rules-'));
  await write('tsconfig.json', '{}');
  const packages = { dependencies: { '@nestjs/common': '1' }, devDependencies: { 'only-for-development': '1' } };
  await write('package.json', JSON.stringify({ type: 'module', ...packages }));
  for (const name of ['@nestjs/common', 'only-for-development']) {
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    await write(`node_modules/${name}/index.js`, '');
  }
  for (const each of Object.values(planted)) await plant(each);
  const program = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [program, '--config', config, '--output-type', 'json', 'libs', 'apps', 'test'];
  const output = await new Promise<string>((done) => {
    // It ends with the number of violations, which `execFile` takes for an error.
    execFile(process.execPath, args, { cwd: directory, maxBuffer: 2 ** 26 }, (_error, stdout) => done(stdout));
  });
  ({ violations } = (JSON.parse(output) as { summary: { violations: typeof violations } }).summary);
});

afterAll(() => rm(directory, { recursive: true, force: true }));

it('each rule has a comment and a planted violation', () => {
  expect(forbidden.filter(({ comment }) => !comment).map(({ name }) => name)).toEqual([]);
  expect(Object.keys(planted).sort()).toEqual(forbidden.map(({ name }) => name).sort());
});

describe('a planted violation is found', () => {
  it.each(forbidden.map(({ name }) => name))('%s', (name) => {
    expect(violations.filter(({ rule }) => rule.name === name).map(({ from }) => from)).toContain(planted[name]?.file);
  });
});
