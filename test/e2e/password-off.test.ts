import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SignIn } from '../../libs/accounts/src/application/ports/sign-in.port.js';
import { testPassword } from '../support/builders/users.js';
import { Browser } from '../support/clients/browser.js';
import { linkTo } from '../support/clients/mailbox.js';
import { startProgram, TestProgram } from '../support/programs/program.js';

/** An installation whose people sign in with their provider alone. */
let program: TestProgram;
const email = 'ann@people.test';

beforeAll(async () => {
  const provider = { id: 'acme', name: 'Acme', issuer: 'http://127.0.0.1:1', client_id: 'client', client_secret: 's' };
  program = await startProgram({ PASSWORD_SIGN_IN: 'off', OIDC_PROVIDERS: JSON.stringify([provider]) });
  // As somebody who set a password before.
  const signIn = program.postrider.app.get(SignIn, { strict: false });
  await signIn.createUser({ email, name: 'Ann', password: testPassword });
});

afterAll(() => program.stop());

it('the sign-in page has no form for passwords', async () => {
  const { body } = await new Browser(program.url).json('/sign-in-methods');
  expect(body).toMatchObject({ password: false, providers: ['acme'] });
});

it.each([
  ['/auth/sign-in/email', { email, password: testPassword }],
  ['/auth/sign-up/email', { email: 'new@people.test', name: 'New', password: testPassword }],
  ['/auth/request-password-reset', { email, redirectTo: '/app/reset' }],
])('%s is refused', async (path, body) => {
  const refused = await new Browser(program.url).json(path, { body });
  expect(refused.status).toBe(403);
  expect(JSON.stringify(refused.body)).toContain('password_sign_in_off');
});

it('an invitation makes no account with a password', async () => {
  await program.request('/team/invitations', {
    method: 'POST',
    body: JSON.stringify({ email: 'grace@people.test', role: 'viewer' }),
    headers: { 'content-type': 'application/json' },
  });
  const token = (await linkTo(program, 'grace@people.test', /invited/)).hash.slice(1);
  const browser = new Browser(program.url);
  const body = { token, name: 'Grace', password: testPassword };
  expect(await browser.json('/invitations/accept', { body })).toMatchObject({
    status: 403,
    body: { name: 'password_sign_in_off' },
  });
  expect((await browser.json('/invitations/show', { body: { token } })).body).toMatchObject({ has_account: true });
});
