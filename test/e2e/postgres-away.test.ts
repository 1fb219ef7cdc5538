import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { request } from 'undici';
import { testPassword } from '../support/builders/users.js';
import { Browser } from '../support/clients/browser.js';
import { KillablePostgres } from '../support/servers/killable-postgres.js';
import { ProgramProcess, startProgramProcess } from '../support/programs/program-process.js';
import { testApiKey, testEnvironment, testSender } from '../support/programs/program.js';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';
import { until } from '../support/runner/until.js';
import { stretched } from '../support/runner/stretched.js';

/** Maximum duration of a refusal, if nothing else uses the processors. */
const maxRefusalMs = stretched(1_000);
/** Maximum time until the program notices that PostgreSQL is silent. */
const maxNoticeMs = 6_000;
const maxRecoveryMs = stretched(10_000);
/** Maximum duration of a stop. SHUTDOWN_SECONDS is not used up, since nothing is under way. */
const maxStopMs = stretched(10_000);

let postgres: KillablePostgres;
let dataDir: string;
let program: ProgramProcess;
let owner: Browser;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-away-'));
  postgres = await KillablePostgres.start();
  program = await startProgramProcess({
    ...testEnvironment({ url: postgres.url, drop: async () => undefined }, dataDir),
    SMTP_LISTEN: '127.0.0.1:0+tls',
  });
  owner = new Browser(program.url);
  const [, token] = /\/app\/owner#(\S+)/.exec(program.output()) ?? [];
  const person = { email: 'ann@people.test', name: 'Ann', password: testPassword };
  expect((await owner.json('/owner', { body: { token, ...person } })).status).toBe(201);
  expect((await owner.signIn(person.email, person.password)).status).toBe(200);
}, 300_000);

afterAll(async () => {
  await program.stop();
  await postgres.close();
  await rm(dataDir, { recursive: true, force: true });
});

beforeEach(async () => {
  await until(async () => (await ask('GET', '/readyz')).status === 200, maxRecoveryMs);
});

interface TimedResponse {
  readonly endpoint: string;
  readonly status: number;
  readonly retryAfter: unknown;
  readonly tookMs: number;
}

const email = { from: testSender, to: 'ann@inbox.test', subject: 'Hello', text: 'Hello' };

async function ask(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<TimedResponse> {
  const since = performance.now();
  const {
    statusCode,
    headers,
    body: content,
  } = await request(`${program.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(more.cookie === undefined && !path.startsWith('/auth/')
        ? { authorization: `Bearer ${testApiKey}` }
        : { origin: program.url, 'x-requested-with': 'test' }),
      ...more,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  await content.dump();
  const tookMs = performance.now() - since;
  return { endpoint: `${method} ${path}`, status: statusCode, retryAfter: headers['retry-after'], tookMs };
}

const id = '0197a0a0-0000-7000-8000-000000000000';

/** Requests of each kind, and more at once than there are database connections. */
const askAll = (): Promise<TimedResponse[]> =>
  Promise.all([
    ...Array.from({ length: 40 }, () => ask('POST', '/emails', email)),
    ask('POST', '/emails/batch', [email, email]),
    ask('GET', '/emails'),
    ask('GET', `/emails/${id}`),
    ask('GET', `/emails/${id}/trace`),
    ask('GET', '/emails/metrics'),
    ask('GET', '/domains'),
    ask('POST', '/domains', { name: 'away.test' }),
    ask('GET', '/api-keys'),
    ask('DELETE', `/api-keys/${id}`),
    ask('GET', '/webhooks'),
    ask('GET', '/logs'),
    ask('GET', '/usage'),
    ask('GET', '/sandbox/messages'),
    // Signing in, being signed in, and a forgotten password.
    ask('POST', '/auth/sign-in/email', { email: 'ann@people.test', password: testPassword }),
    ask('GET', '/auth/get-session', undefined, { cookie: owner.cookies() }),
    ask('POST', '/auth/update-user', { name: 'Ann' }, { cookie: owner.cookies() }),
    ask('GET', '/me', undefined, { cookie: owner.cookies() }),
    ask('POST', '/auth/reset-password', { token: 'unknown', newPassword: testPassword }),
  ]);

function expectRefusals(responses: readonly TimedResponse[], withinMs: number): void {
  expect(responses.filter(({ status }) => status !== 503)).toEqual([]);
  expect(responses.filter(({ retryAfter }) => !/^\d+$/.test(String(retryAfter)))).toEqual([]);
  expect(responses.filter(({ tookMs }) => tookMs > withinMs)).toEqual([]);
}

/** The first step that needs the database gets a temporary reply at once, so that the client keeps its message. */
async function expectTemporaryReply(dialogue: SmtpDialogue): Promise<void> {
  const steps = [
    'MAIL FROM:<hello@sandbox.postrider.test>',
    'RCPT TO:<ann@inbox.test>',
    'DATA',
    'From: hello@sandbox.postrider.test\r\nSubject: Hello\r\n\r\nHello\r\n.',
  ];
  for (const step of steps) {
    const since = performance.now();
    const reply = await dialogue.ask(step);
    expect(performance.now() - since).toBeLessThan(maxRefusalMs);
    if (/^4[25]1 /.test(reply)) return dialogue.drop();
    expect(reply).toMatch(step === 'DATA' ? /^354 / : /^250 /);
  }
  throw new Error('The message was accepted');
}

async function expectTemporaryLogin(): Promise<void> {
  const dialogue = await SmtpDialogue.openTls(program.smtpPorts[0] as number);
  await dialogue.ask('EHLO client.test');
  const since = performance.now();
  const reply = await dialogue.logIn(testApiKey);
  expect(performance.now() - since).toBeLessThan(maxRefusalMs);
  // A key that was used a moment ago is still cached.
  if (reply.startsWith('235')) return expectTemporaryReply(dialogue);
  expect(reply).toMatch(/^4[25]\d /);
  dialogue.drop();
}

async function expectHealth(): Promise<void> {
  const [alive, ready] = await Promise.all([ask('GET', '/healthz'), ask('GET', '/readyz')]);
  expect([alive.status, ready.status]).toEqual([200, 503]);
  expect(Math.max(alive.tookMs, ready.tookMs)).toBeLessThan(maxRefusalMs);
}

async function expectRecovery(): Promise<void> {
  const since = performance.now();
  await until(async () => (await ask('POST', '/emails', email)).status === 200, maxRecoveryMs);
  await until(async () => (await ask('GET', '/readyz')).status === 200, maxRecoveryMs);
  expect(performance.now() - since).toBeLessThan(maxRecoveryMs);
}

async function untilNothingIsUnderWay(): Promise<void> {
  const sql = new Client({ connectionString: postgres.url });
  await sql.connect();
  // Mail that the sandbox could not store waits for its next attempt.
  const underWay = 'SELECT FROM outbound_queue WHERE worker_id IS NOT NULL OR due_at <= now()';
  await until(async () => (await sql.query(underWay)).rowCount === 0, 30_000);
  await sql.end();
}

describe('while PostgreSQL is dead', () => {
  it('requests are refused within a second, and served again once it is back', async () => {
    await ask('POST', '/emails', email);
    const session = await SmtpDialogue.loggedIn(program.smtpPorts[0] as number, testApiKey);
    const underWay = askAll();
    await postgres.kill();
    for (const { status } of await underWay) expect([200, 201, 202, 400, 401, 404, 422, 503]).toContain(status);
    try {
      expectRefusals(await askAll(), maxRefusalMs);
      await expectHealth();
      await expectTemporaryLogin();
      await expectTemporaryReply(session);
    } finally {
      await postgres.restart();
    }
    await expectRecovery();
    await untilNothingIsUnderWay();
  });
});

describe('while PostgreSQL is frozen', () => {
  it('requests are refused as soon as the program notices, and served again once PostgreSQL continues', async () => {
    await ask('POST', '/emails', email);
    await postgres.freeze();
    try {
      expectRefusals(await askAll(), maxNoticeMs + maxRefusalMs);
      expectRefusals(await askAll(), maxRefusalMs);
      await expectHealth();
      await expectTemporaryLogin();
    } finally {
      await postgres.thaw();
    }
    await expectRecovery();
  });
});

it('the program can be stopped while PostgreSQL is dead', async () => {
  await untilNothingIsUnderWay();
  await postgres.kill();
  const since = performance.now();
  await program.stop();
  expect(performance.now() - since).toBeLessThan(maxStopMs);
  await postgres.restart();
});
