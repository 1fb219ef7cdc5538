import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { Database } from '#postgres/database';
import { codeOf } from '../../libs/accounts/src/infrastructure/better-auth/one-time-codes.js';
import { fromBase32 } from '../support/builders/base32.js';
import { noChromium, signIn, startChromium, visit, Visit } from '../support/clients/chromium.js';
import { freePort } from '../support/runner/free-port.js';
import { linkTo } from '../support/clients/mailbox.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { describeUnless } from '../support/runner/unless.js';
import { testPassword } from '../support/builders/users.js';

const owner = 'ada@people.test';
const newPassword = 'a brand new password of hers';

describeUnless(noChromium)('signing in, in a browser', () => {
  let program: TestProgram;
  let browser: Browser;
  let url: string;
  let ada: Visit;
  let page: Page;
  let secret: string;
  let recoveryCodes: string[];
  const visits: Visit[] = [];

  const open = async (): Promise<Visit> => {
    const one = await visit(browser, url);
    visits.push(one);
    return one;
  };
  const enter = async (on: Page, email: string, password: string): Promise<void> => {
    await on.goto('/app/sign-in');
    await on.getByLabel('Email').fill(email);
    await on.getByLabel('Password', { exact: true }).fill(password);
    await on.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const signOut = async (on: Page): Promise<void> => {
    await on.getByRole('button', { name: 'Your account' }).click();
    await on.getByRole('menuitem', { name: 'Sign out' }).click();
    await on.getByRole('heading', { name: 'Sign in' }).waitFor();
  };
  const isInside = (on: Page): Promise<void> => on.getByRole('navigation').first().waitFor();
  const code = (): string => codeOf(secret, Math.floor(Date.now() / 30_000));
  /** As if the codes so far had been used long ago. */
  const forgetUsedCodes = (): Promise<unknown> =>
    program.postrider.app.get(Database).execute({ text: 'UPDATE auth."twoFactor" SET "lastUsedStep" = NULL' });

  beforeAll(async () => {
    // Passkeys belong to a name, and 127.0.0.1 is none.
    const port = await freePort();
    url = `http://localhost:${port}`;
    [program, browser] = await Promise.all([
      startProgram({ SIGN_UP: 'open', HTTP_PORT: String(port), PUBLIC_URL: url }),
      startChromium(),
    ]);
    ada = await open();
    page = ada.page;
  });

  afterAll(async () => {
    await browser.close();
    await program.stop();
  });

  it('the link of the first start makes the owner and leads to the dashboard, once', async () => {
    await page.goto(program.postrider.ownerUrl as string);
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('Email').fill(owner);
    await page.getByLabel('New password').fill(testPassword);
    expect(new URL(page.url()).hash).toBe('');
    await page.getByRole('button', { name: 'Create owner account' }).click();
    await isInside(page);
    expect(new URL(page.url()).pathname).toBe('/app/start');
    // An owner of the installation is an operator.
    await page.goto('/app/machine-room');
    await page.getByRole('heading', { name: 'Machine room', level: 1 }).waitFor();
    const { page: late } = await open();
    await late.goto(program.postrider.ownerUrl as string);
    await late.getByLabel('Name').fill('Mallory');
    await late.getByLabel('Email').fill('mallory@people.test');
    await late.getByLabel('New password').fill(testPassword);
    await late.getByRole('button', { name: 'Create owner account' }).click();
    await late.getByRole('alert').waitFor();
    expect((await late.request.get('/me')).status()).toBe(401);
  });

  it('a forgotten password is set anew by the mailed link, which works once and ends all sessions', async () => {
    const { page: shown } = await open();
    await shown.goto('/app/sign-in');
    await shown.getByRole('link', { name: 'Forgot your password?' }).click();
    // The page before also has a field for the email.
    await shown.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await shown.getByLabel('Email').fill(owner);
    await shown.getByRole('button', { name: 'Send link' }).click();
    await shown.getByRole('heading', { name: 'Check your email' }).waitFor();
    const link = String(await linkTo(program, owner, /Set a new password/));
    await shown.goto(link);
    await shown.getByLabel('New password').fill(newPassword);
    await shown.getByRole('button', { name: 'Set password' }).click();
    await shown.getByText('Your password was changed. Sign in with the new one.').waitFor();
    await page.goto('/app/emails');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await enter(page, owner, testPassword);
    await page.getByRole('alert').waitFor();
    await signIn(page, owner, newPassword);
    await shown.goto(link);
    await shown.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  });

  it('a second factor is set up with the key of the QR code, and recovery codes are shown', async () => {
    await page.goto('/app/settings/security');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(newPassword);
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    secret = fromBase32((await page.getByTestId('totp-secret').textContent()) ?? '');
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(code());
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    recoveryCodes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
    expect(recoveryCodes.length).toBeGreaterThan(5);
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('An authenticator app is set up').waitFor();
  });

  it('the code is asked for after the password, and leads to the page that was wanted', async () => {
    await forgetUsedCodes();
    await signOut(page);
    await page.goto('/app/domains');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Email').fill(owner);
    await page.getByLabel('Password', { exact: true }).fill(newPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    expect((await page.request.get('/me')).status()).toBe(401);
    await page.getByLabel('Code', { exact: true }).fill('000 000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(code());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
  });

  it('a recovery code takes the place of the app, once', async () => {
    for (const works of [true, false]) {
      const { page: shown } = await open();
      await enter(shown, owner, newPassword);
      await shown.getByRole('button', { name: 'Use a recovery code' }).click();
      await shown.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
      await shown.getByRole('button', { name: 'Continue' }).click();
      await (works ? isInside(shown) : shown.getByRole('alert').waitFor());
    }
  });

  it('a passkey is added, signs in without password and code, and is removed', async () => {
    const session = await ada.context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto('/app/settings/security');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop of Ada');
    await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
    await page.getByText('Laptop of Ada').waitFor();
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await isInside(page);
    await page.goto('/app/settings/security');
    await page.getByRole('button', { name: 'Remove passkey' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click();
    await page.getByText('Laptop of Ada').first().waitFor({ state: 'detached' });
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').waitFor();
    await forgetUsedCodes();
    await enter(page, owner, newPassword);
    await page.getByLabel('Code', { exact: true }).fill(code());
    await page.getByRole('button', { name: 'Continue' }).click();
    await isInside(page);
  });

  it('had no error on any console and made no request to another origin', () => {
    expect(visits.flatMap(({ watch }) => watch.troubles)).toEqual([]);
  });
});
