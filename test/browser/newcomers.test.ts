import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { noChromium, signIn, startChromium, visit, Visit } from '../support/clients/chromium.js';
import { freePort } from '../support/runner/free-port.js';
import { Database } from '#postgres/database';
import { OidcServer } from '../support/servers/oidc-server.js';
import { IdentityProvider } from '../support/servers/identity-provider.js';
import { linkTo } from '../support/clients/mailbox.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { describeUnless } from '../support/runner/unless.js';
import { addMember, firstTeam, TestUser, testPassword } from '../support/builders/users.js';

describeUnless(noChromium)('people who are new, in a browser', () => {
  const provider = new IdentityProvider();
  const acme = new OidcServer();
  const acmeTeam = '0193b0a4-0000-7000-8000-00000000acce';
  const logo =
    'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA4IDgiPjxjaXJjbGUgY3g9IjQiIGN5PSI0IiByPSI0IiBmaWxsPSIjMDg4Ii8+PC9zdmc+';
  const visits: Visit[] = [];
  let program: TestProgram;
  let browser: Browser;
  let owner: TestUser;
  let url: string;

  const open = async (): Promise<Page> => {
    const one = await visit(browser, url);
    visits.push(one);
    return one.page;
  };
  const isInside = (on: Page): Promise<void> => on.getByRole('navigation').first().waitFor();

  beforeAll(async () => {
    await Promise.all([provider.listen(), acme.listen()]);
    const port = await freePort();
    // The links in mails lead there, and the cookie of the browser that signed up belongs to the name.
    url = `http://localhost:${port}`;
    const providers = {
      GOOGLE_CLIENT_ID: 'google-client',
      GOOGLE_CLIENT_SECRET: 'secret',
      GOOGLE_ISSUER: provider.url,
      GITHUB_CLIENT_ID: 'github-client',
      GITHUB_CLIENT_SECRET: 'secret',
      GITHUB_URL: provider.url,
      OIDC_PROVIDERS: JSON.stringify([
        {
          id: 'acme',
          name: 'Acme',
          logo,
          issuer: acme.url,
          client_id: OidcServer.clientId,
          client_secret: 'a secret of the client',
          scopes: ['groups'],
          groups: { readers: { [acmeTeam]: 'viewer' } },
        },
      ]),
    };
    await acme.serve('acme', url);
    [program, browser] = await Promise.all([
      startProgram({
        SIGN_UP: 'open',
        HTTP_PORT: String(port),
        PUBLIC_URL: url,
        ...providers,
      }),
      startChromium(),
    ]);
    owner = await addMember(program, await firstTeam(program), 'owner', url);
  });

  afterAll(async () => {
    await browser.close();
    await program.stop();
    await Promise.all([provider.close(), acme.close()]);
  });

  it('signing up is confirmed by the mailed link, and not before', async () => {
    const page = await open();
    const email = 'grace@people.test';
    await page.goto('/app/sign-in');
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('New password').fill(testPassword);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    const link = await linkTo(program, email, /Confirm/);
    const early = await open();
    await early.goto('/app/sign-in');
    await early.getByLabel('Email').fill(email);
    await early.getByLabel('Password', { exact: true }).fill(testPassword);
    await early.getByRole('button', { name: 'Sign in', exact: true }).click();
    await early.getByRole('alert').waitFor();
    await page.goto(String(link));
    await page.getByText('Your address is confirmed. Sign in.').waitFor();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(testPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await isInside(page);
  });

  it('an invitation is sent by an owner, makes an account, and gives no more than its role', async () => {
    const page = await open();
    await signIn(page, owner.email, testPassword);
    await page.goto('/app/settings/team');
    const email = 'edsger@people.test';
    const form = page.getByRole('form', { name: 'Invite someone' });
    await form.getByLabel('Email').fill(email);
    await form.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Viewer' }).click();
    await form.getByRole('button', { name: 'Invite' }).click();
    await page.getByText(`Invitation sent to ${email}`).waitFor();
    const link = String(await linkTo(program, email, /invit/i));
    const invited = await open();
    await invited.goto(link);
    await invited.getByText('You were invited as viewer.').waitFor();
    await invited.getByLabel('Name').fill('Edsger Dijkstra');
    await invited.getByLabel('New password').fill(testPassword);
    await invited.getByRole('button', { name: 'Create account and join' }).click();
    await isInside(invited);
    await invited.goto('/app/api-keys');
    await invited.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await invited.getByText('No API keys yet').or(invited.getByRole('row').nth(1)).first().waitFor();
    expect(await invited.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    const { teams } = (await (await invited.request.get('/me')).json()) as { teams: { id: string }[] };
    const headers = { 'x-requested-with': 'postrider', origin: url, 'x-team': teams[0]?.id ?? '' };
    const data = { name: 'forbidden' };
    expect((await invited.request.post('/api-keys', { headers, data })).status()).toBe(403);
    await invited.goto('/app/settings/team');
    await invited.getByText('Edsger Dijkstra (you)').waitFor();
    expect(await invited.getByRole('form', { name: 'Invite someone' }).count()).toBe(0);
    const late = await open();
    await late.goto(link);
    await late.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  });

  describe.each(['Google', 'GitHub'])('%s', (name) => {
    const email = `${name.toLowerCase()}@people.test`;

    it('signs in whose address it has verified, and refuses others in plain words', async () => {
      const id = name === 'Google' ? '7' : '8';
      provider.user = { id, email, isVerified: false, name: 'Barbara' };
      const page = await open();
      await page.goto('/app/sign-in?next=%2Fapp%2Fdomains');
      await page.getByRole('button', { name: `Continue with ${name}` }).click();
      await page.getByText('Your address may not be verified').waitFor();
      expect((await page.request.get('/me')).status()).toBe(401);
      provider.user = { id, email, isVerified: true, name: 'Barbara' };
      await page.goto('/app/sign-in?next=%2Fapp%2Fdomains');
      await page.getByRole('button', { name: `Continue with ${name}` }).click();
      await isInside(page);
      expect(((await (await page.request.get('/me')).json()) as { user: { email: string } }).user.email).toBe(email);
    });
  });

  it('an OpenID provider of the operator leads to the team and the role of its groups', async () => {
    await program.postrider.app.get(Database).execute({
      text: `INSERT INTO teams (id, name, created_at) VALUES ($1, 'Acme readers', now())`,
      values: [acmeTeam],
    });
    const groups = ['readers'];
    acme.user = { sub: 'ada', email: 'ada@acme.test', email_verified: true, name: 'Ada', groups };
    const page = await open();
    await page.goto('/app/sign-in');
    const button = page.getByRole('button', { name: 'Continue with Acme' });
    expect(
      await button.locator('img').evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBeGreaterThan(0);
    await button.click();
    await isInside(page);
    await page.goto('/app/settings/team');
    await page.getByText('Ada (you)').waitFor();
    expect(await page.getByRole('form', { name: 'Invite someone' }).count()).toBe(0);
    const { teams } = (await (await page.request.get('/me')).json()) as { teams: object[] };
    expect(teams).toMatchObject([{ name: 'Acme readers', role: 'viewer' }]);
    await acme.logOut('ada');
    expect((await page.request.get('/me')).status()).toBe(401);
  });

  it('without passwords the page has no form', async () => {
    const page = await open();
    await page.route('**/sign-in-methods', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), password: false } });
    });
    await page.goto('/app/sign-in');
    await page.getByRole('button', { name: 'Continue with Acme' }).waitFor();
    expect(await page.getByLabel('Email').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Forgot your password?' }).count()).toBe(0);
  });

  it('a passkey prompt that is canceled is not called an error in the service', async () => {
    const page = await open();
    // The browser would show its own dialog, which nobody closes here.
    const content = `navigator.credentials.create = () => Promise.reject(new DOMException('', 'NotAllowedError'))`;
    await page.addInitScript({ content });
    await signIn(page, owner.email, testPassword);
    await page.goto('/app/settings/security');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Laptop');
    await dialog.getByRole('button', { name: 'Add passkey' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Its prompt was closed or timed out' }).waitFor();
  });

  it('had no error on any console and made no request to another origin but those of the providers', () => {
    const troubles = visits.flatMap(({ watch }) => watch.troubles);
    expect(
      troubles.filter((trouble) => ![provider, acme].some((one) => trouble.startsWith(`request to ${one.url}/`))),
    ).toEqual([]);
  });
});
