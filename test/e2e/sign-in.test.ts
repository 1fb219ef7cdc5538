import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { Purges } from '#postgres/retention';
import { codeOf } from '../../libs/accounts/src/infrastructure/better-auth/one-time-codes.js';
import { fromBase32 } from '../support/builders/base32.js';
import { Browser } from '../support/clients/browser.js';
import { linkTo, mailTo } from '../support/clients/mailbox.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { addUser, testPassword, TestUser } from '../support/builders/users.js';

let program: TestProgram;

beforeAll(async () => {
  program = await startProgram({ SIGN_UP: 'open', ROLES: 'api,smtp,worker' });
});

afterAll(() => program.stop());

const database = (): Database => program.postrider.app.get(Database);
const signUp = (email: string, password = testPassword, browser = new Browser(program.url)) =>
  browser.json('/auth/sign-up/email', { body: { email, password, name: 'New' } });
const follow = (link: URL, browser = new Browser(program.url)) =>
  browser.request(`${link.pathname}${link.search}`, { headers: { 'sec-fetch-site': 'cross-site' } });
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.request('/me')).status === 200;

describe('an address and a password', () => {
  it('the address is verified by the link of a mail before anybody signs in', async () => {
    const email = 'new@people.test';
    const browser = new Browser(program.url);
    expect((await signUp(email, testPassword, browser)).status).toBe(200);
    expect(await browser.signIn(email, testPassword)).toMatchObject({
      status: 403,
      body: { name: 'email_not_verified' },
    });
    expect((await follow(await linkTo(program, email, /Confirm your address/), browser)).status).toBe(302);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await browser.signIn(email, testPassword)).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('signing up does not tell whether there is an account, but tells its owner', async () => {
    const { email } = await addUser(program);
    const [known, unknown] = [await signUp(email, 'another password'), await signUp('unknown@people.test')];
    const shape = ({ status, body }: typeof known) => [
      status,
      Object.keys(body),
      Object.keys(body.user as object).sort(),
    ];
    expect(shape(known)).toEqual(shape(unknown));
    await linkTo(program, email, /already have an account/);
    expect((await new Browser(program.url).signIn(email, 'another password')).status).toBe(401);
  });

  it('neither does signing in: an unknown address, a wrong password and a user without one get the same answer', async () => {
    const { email } = await addUser(program);
    const answers = [await new Browser(program.url).signIn(email, 'wrong password')];
    answers.push(await new Browser(program.url).signIn('nobody@people.test', 'wrong password'));
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.status).toBe(401);
  });

  it('a password is reset by the link of a mail, once, and all sessions end', async () => {
    const user = await addUser(program);
    const ask = (email: string) =>
      new Browser(program.url).json('/auth/request-password-reset', { body: { email, redirectTo: '/app/reset' } });
    expect(await ask(user.email)).toEqual(await ask('nobody@people.test'));
    const redirect = await follow(await linkTo(program, user.email, /Set a new password/));
    const token = new URL(redirect.headers.get('location') ?? '', program.url).searchParams.get('token') ?? '';
    const reset = () =>
      new Browser(program.url).json('/auth/reset-password', { body: { token, newPassword: 'a brand new password' } });
    expect((await reset()).status).toBe(200);
    expect((await reset()).status).toBe(400);
    expect(await isSignedIn(user.browser)).toBe(false);
    expect((await user.browser.signIn(user.email, testPassword)).status).toBe(401);
    expect((await user.browser.signIn(user.email, 'a brand new password')).status).toBe(200);
    expect((await mailTo(program, user.email)).map(({ subject }) => subject)).toContain('Your password was changed');
  });

  it('the link of a mail starts with our own origin, whatever host the request names', async () => {
    const { email } = await addUser(program);
    await new Browser(program.url).json('/auth/request-password-reset', {
      body: { email, redirectTo: '/app/reset' },
      headers: { 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' },
    });
    expect((await linkTo(program, email, /Set a new password/)).origin).toBe(new URL(program.url).origin);
    const stolen = await new Browser(program.url).json('/auth/request-password-reset', {
      body: { email, redirectTo: 'https://evil.test/' },
    });
    expect(stolen.status).toBe(403);
  });

  it('an address is changed after both addresses have agreed, and signing in again a short while ago', async () => {
    const user = await addUser(program);
    const newEmail = `changed-${user.email}`;
    const change = () => user.browser.json('/auth/change-email', { body: { newEmail, callbackURL: '/app' } });
    await database().execute({
      text: `UPDATE auth.session SET "authenticatedAt" = now() - interval '1 hour' WHERE "userId" = $1`,
      values: [user.id],
    });
    expect(await change()).toMatchObject({ status: 403, body: { name: 'step_up_required' } });
    expect((await user.browser.json('/me/confirm', { body: { password: 'wrong password' } })).status).toBe(403);
    expect((await user.browser.json('/me/confirm', { body: { password: testPassword } })).status).toBe(200);
    expect((await change()).status).toBe(200);
    await follow(await linkTo(program, user.email, /Confirm the change/));
    expect((await new Browser(program.url).signIn(newEmail, testPassword)).status).toBe(401);
    await follow(await linkTo(program, newEmail, /Confirm your address/));
    expect((await new Browser(program.url).signIn(newEmail, testPassword)).status).toBe(200);
    expect((await mailTo(program, user.email)).map(({ subject }) => subject)).toContain('Your address was changed');
  });
});

describe('somebody who signs up with the address of another', () => {
  it('has no use of it once the owner has opened the link of the mail: the owner sets the password', async () => {
    const email = 'hijacked@people.test';
    await signUp(email, 'password of a squatter');
    const opened = await follow(await linkTo(program, email, /Confirm your address/));
    const target = new URL(opened.headers.get('location') ?? '', program.url);
    expect(target.pathname).toBe('/app/reset-password');
    expect((await new Browser(program.url).signIn(email, 'password of a squatter')).status).toBe(401);
    const body = { token: target.searchParams.get('token'), newPassword: 'password of the owner' };
    expect((await new Browser(program.url).json('/auth/reset-password', { body })).status).toBe(200);
    expect((await new Browser(program.url).signIn(email, 'password of the owner')).status).toBe(200);
  });

  it('gives way when the owner of the address signs up as well', async () => {
    const email = 'victim@people.test';
    await signUp(email, 'password of a squatter');
    const squatters = await linkTo(program, email, /Confirm your address/);
    const owner = new Browser(program.url);
    await signUp(email, 'password of the owner', owner);
    await follow(squatters);
    expect((await new Browser(program.url).signIn(email, 'password of a squatter')).status).toBe(401);
    await follow(await linkTo(program, email, /Confirm your address/), owner);
    expect((await new Browser(program.url).signIn(email, 'password of the owner')).status).toBe(200);
  });

  it('is forgotten after a day', async () => {
    await signUp('forgotten@people.test');
    await database().execute({
      text: `UPDATE auth."user" SET "createdAt" = now() - interval '25 hours' WHERE email = 'forgotten@people.test'`,
    });
    const moment = { now: new Date(), cutoff: new Date(0) };
    const purges = program.postrider.app.get(Purges, { strict: false }).all;
    for (const statement of purges.flatMap((purge) => purge.leftovers(moment))) await database().execute(statement);
    const [left] = await database().query({ text: `SELECT FROM auth."user" WHERE email = 'forgotten@people.test'` });
    expect(left).toBeUndefined();
  });
});

describe('a second factor', () => {
  let user: TestUser;
  let secret: string;
  let recovery: string[];
  const step = (): number => Math.floor(Date.now() / 30_000);
  const verify = (browser: Browser, code: string) => browser.json('/auth/two-factor/verify-totp', { body: { code } });

  beforeAll(async () => {
    user = await addUser(program);
    const enabled = await user.browser.json<{ totpURI: string; backupCodes: string[] }>('/auth/two-factor/enable', {
      body: { password: testPassword },
    });
    expect(enabled.status).toBe(200);
    secret = fromBase32(new URL(enabled.body.totpURI).searchParams.get('secret') ?? '');
    recovery = enabled.body.backupCodes;
    expect((await verify(user.browser, codeOf(secret, step()))).status).toBe(200);
    // As if that code had been used long ago.
    await database().execute({ text: 'UPDATE auth."twoFactor" SET "lastUsedStep" = NULL' });
  });

  async function challenged(): Promise<Browser> {
    const browser = new Browser(program.url);
    const { body } = await browser.signIn(user.email, testPassword);
    expect(body).toMatchObject({ twoFactorRedirect: true });
    expect(await isSignedIn(browser)).toBe(false);
    return browser;
  }

  it('is asked for after the password, and a code is accepted once', async () => {
    const code = codeOf(secret, step());
    const [one, two] = [await challenged(), await challenged()];
    const outcomes = await Promise.all([verify(one, code), verify(two, code)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(outcomes.find(({ status }) => status === 401)?.body).toMatchObject({ name: 'code_already_used' });
    expect((await verify(await challenged(), code)).status).toBe(401);
    expect((await verify(await challenged(), codeOf(secret, step() - 1))).status).toBe(401);
    expect((await verify(await challenged(), '000000')).status).toBe(401);
  });

  it('is refused while the account is locked, and the code stays unused', async () => {
    await database().execute({
      text: `UPDATE auth."twoFactor" SET "lastUsedStep" = NULL, "lockedUntil" = now() + interval '1 hour' WHERE "userId" = $1`,
      values: [user.id],
    });
    const body = { code: codeOf(secret, step()) };
    const refused = await (await challenged()).request('/auth/two-factor/verify-totp', { body });
    expect([refused.status, await refused.json()]).toMatchObject([429, { name: 'account_temporarily_locked' }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
    const [row] = await database().query({
      text: `UPDATE auth."twoFactor" SET "lockedUntil" = NULL WHERE "userId" = $1 RETURNING "lastUsedStep"`,
      values: [user.id],
    });
    expect(row).toEqual({ lastUsedStep: null });
    expect((await verify(await challenged(), codeOf(secret, step()))).status).toBe(200);
  });

  it('is replaced by a recovery code, once', async () => {
    const code = recovery[0] ?? '';
    const use = (browser: Browser) => browser.json('/auth/two-factor/verify-backup-code', { body: { code } });
    const browser = await challenged();
    expect((await use(browser)).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await use(await challenged())).status).toBe(401);
  });

  it('is not passed by any link of a mail', async () => {
    const browser = new Browser(program.url);
    await browser.json('/auth/request-password-reset', { body: { email: user.email, redirectTo: '/app/reset' } });
    const link = await linkTo(program, user.email, /Set a new password/);
    const redirect = await follow(link, browser);
    const token = new URL(redirect.headers.get('location') ?? '', program.url).searchParams.get('token');
    await browser.json('/auth/reset-password', { body: { token, newPassword: testPassword } });
    expect(await isSignedIn(browser)).toBe(false);
    for (const path of ['/auth/magic-link/verify', '/auth/sign-in/email-otp', '/auth/one-time-token/verify']) {
      expect((await browser.request(path, { body: {} })).status).toBe(404);
    }
  });

  it('signing in and what changes an account are in the audit log of the installation', async () => {
    const rows = await database().query<{ action: string }>({
      text: 'SELECT action FROM audit_entries WHERE actor_id = $1 AND team_id IS NULL',
      values: [user.id],
    });
    const actions = rows.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['account.sign_in', 'account.second_factor.enable']));
    expect(actions).toEqual(expect.arrayContaining(['account.second_factor.use', 'account.recovery_code.use']));
  });

  it('its secret and recovery codes are encrypted at rest', async () => {
    const [row] = await database().query<{ secret: string; backupCodes: string }>({
      text: 'SELECT secret, "backupCodes" FROM auth."twoFactor"',
    });
    expect(row?.secret).toMatch(/^\$ba\$\d+\$/);
    expect(row?.secret).not.toContain(secret);
    expect(row?.backupCodes).not.toContain(recovery[1]);
  });
});

describe('guesses', () => {
  it('are limited by account for strangers, and a known browser is not locked out', async () => {
    const user = await addUser(program);
    const stranger = new Browser(program.url);
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++) {
      // A field that the library ignores does not change whose guess it is.
      const body = { email: user.email, password: `guess ${guess}`, newEmail: `somebody${guess}@people.test` };
      statuses.push((await stranger.request('/auth/sign-in/email', { body })).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
    const refused = await stranger.request('/auth/sign-in/email', { body: { email: user.email, password: 'again' } });
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds > 570 && seconds <= 600).toBe(true);
    // Another process of the installation counts on.
    const other = await startProgram({ ROLES: 'api' }, undefined, program.database);
    expect((await new Browser(other.url).signIn(user.email, testPassword)).status).toBe(429);
    await other.stop();
    user.browser.forget('postrider.session_token');
    expect((await user.browser.signIn(user.email, testPassword)).status).toBe(200);
  });

  it('cannot hide their address behind a header', async () => {
    for (let guess = 0; guess < 30; guess++) {
      await new Browser(program.url).json('/auth/sign-in/email', {
        body: { email: `guess${guess}@people.test`, password: 'wrong password' },
        headers: { 'x-forwarded-for': `10.0.0.${guess}`, 'x-postrider-client-address': `10.0.0.${guess}` },
      });
    }
    expect((await new Browser(program.url).signIn('one-more@people.test', 'wrong password')).status).toBe(429);
  });
});
