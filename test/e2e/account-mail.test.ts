import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { SignIn } from '../../libs/accounts/src/application/ports/sign-in.port.js';
import { Browser } from '../support/clients/browser.js';
import { mailTo } from '../support/clients/mailbox.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';
import { addMember, firstTeam, testPassword, TestUser } from '../support/builders/users.js';

const attack = `Billing\r\n\r\nYour account is locked. Sign in at http://evil.test/now ${'x'.repeat(9_000)}`;
let program: TestProgram;
let teamId: string;
let admin: TestUser;

beforeAll(async () => {
  program = await startProgram({ SIGN_UP: 'open' });
  teamId = await firstTeam(program);
  admin = await addMember(program, teamId, 'admin');
});

afterAll(() => program.stop());

const sql = (text: string, ...values: unknown[]) => program.postrider.app.get(Database).query({ text, values });

/** The fields in their order, with strings that show only how they are built. */
const shapesOf = (fields: object): unknown[] =>
  Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? decodeURIComponent(value).replace(/[\w/+-]+/g, 'x') : value,
  ]);

it('names are one line of 64 characters without links, of users and of teams', async () => {
  const headers = { 'x-team': teamId };
  for (const name of [attack, 'http://evil.test', 'Go to evil.test/x', 'x'.repeat(65)]) {
    const updated = await admin.browser.json('/auth/update-user', { body: { name } });
    expect(updated).toMatchObject({ status: 422, body: { name: 'validation_error', statusCode: 422 } });
    const person = { email: 'new@people.test', password: testPassword, name };
    expect((await new Browser(program.url).json('/auth/sign-up/email', { body: person })).status).toBe(422);
    expect((await admin.browser.json('/team', { method: 'PATCH', body: { name }, headers })).status).toBe(422);
  }
  expect((await admin.browser.json('/auth/update-user', { body: { name: 'Ada L.' } })).status).toBe(200);
  expect(await mailTo(program, 'new@people.test')).toEqual([]);
});

it('a reset of the password is answered before anybody looks for the account', async () => {
  const signIn = program.postrider.app.get(SignIn, { strict: false });
  const handle = signIn.handle.bind(signIn);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  signIn.handle = async (request) => {
    await held;
    return handle(request);
  };
  const answers = [];
  for (const path of ['/auth/request-password-reset', '/auth/send-verification-email']) {
    for (const email of [admin.email, 'nobody@people.test']) {
      answers.push(await new Browser(program.url).json(path, { body: { email } }));
    }
  }
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { status: true } });
  release();
  signIn.handle = handle;
  await until(async () => (await mailTo(program, admin.email)).some(({ subject }) => subject === 'Set a new password'));
  expect(await mailTo(program, 'nobody@people.test')).toEqual([]);
  const wrong = await new Browser(program.url).json('/auth/request-password-reset', { body: { email: 'nobody' } });
  expect(wrong).toMatchObject({ status: 422, body: { name: 'validation_error' } });
});

it.each(['open', 'invited'])('the answer to a sign-up does not tell who has an account: %s', async (mode) => {
  const other = await startProgram({ SIGN_UP: mode }, undefined, program.database);
  try {
    const invited = `invited-${mode}@people.test`;
    const body = { email: invited, role: 'viewer' };
    await admin.browser.json('/team/invitations', { body, headers: { 'x-team': teamId } });
    const answers = [];
    for (const email of [invited, admin.email, `nobody-${mode}@people.test`]) {
      const person = { email, password: testPassword, name: '  Ada   L. ', image: 'x' };
      const response = await new Browser(other.url).request('/auth/sign-up/email', { body: person });
      const { user = {}, ...rest } = (await response.json()) as { user?: object };
      answers.push({
        status: response.status,
        headers: shapesOf(Object.fromEntries(response.headers)),
        rest,
        user: shapesOf(user),
      });
    }
    expect(answers[0]).toMatchObject({ status: 200 });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  } finally {
    await other.stop();
  }
});

it('an invitation quotes names that are stored from before, and says who chose them', async () => {
  await sql('UPDATE auth."user" SET name = $2 WHERE id = $1', admin.id, attack);
  await sql('UPDATE teams SET name = $2 WHERE id = $1', teamId, attack);
  const body = { email: 'stranger@people.test', role: 'viewer' };
  await admin.browser.json('/team/invitations', { body, headers: { 'x-team': teamId } });
  const [mail] = await until(async () => {
    const found = await mailTo(program, 'stranger@people.test');
    return found.length > 0 && found;
  });
  expect(mail?.subject).toBe('You have been invited to a team');
  expect(mail?.text).toContain('not by us:\n> Team: "Billing Your account is locked.');
  expect(mail?.text).not.toContain('evil.test');
  expect(mail?.text.match(/https?:/g)).toHaveLength(1);
  for (const line of mail?.text.split('\n') ?? []) if (line.includes('locked')) expect(line).toMatch(/^> .{1,120}$/);
});
