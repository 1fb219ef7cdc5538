import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { codeOf } from '../../libs/accounts/src/infrastructure/better-auth/one-time-codes.js';
import { Browser } from '../support/clients/browser.js';
import { IdentityProvider } from '../support/servers/identity-provider.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { addUser, testPassword } from '../support/builders/users.js';

/** Google and GitHub are a provider on loopback: their addresses come from the configuration. */

const provider = new IdentityProvider();
let program: TestProgram;

beforeAll(async () => {
  await provider.listen();
  program = await startProgram({
    SIGN_UP: 'open',
    GOOGLE_CLIENT_ID: 'google-client',
    GOOGLE_CLIENT_SECRET: 'secret',
    GOOGLE_ISSUER: provider.url,
    GITHUB_CLIENT_ID: 'github-client',
    GITHUB_CLIENT_SECRET: 'secret',
    GITHUB_URL: provider.url,
  });
});

afterAll(async () => {
  await program.stop();
  await provider.close();
});

/** Clicks the button, and follows the browser to the provider and back. Returns where it ends. */
async function signInWith(
  id: 'google' | 'github',
  browser = new Browser(program.url),
): Promise<{ browser: Browser; end: URL }> {
  const { body } = await browser.json<{ url: string }>('/auth/sign-in/social', {
    body: { provider: id, callbackURL: '/app' },
  });
  const agreed = await fetch(body.url, { redirect: 'manual' });
  const callback = new URL(agreed.headers.get('location') ?? '');
  const back = await browser.request(`${callback.pathname}${callback.search}`, {
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  return { browser, end: new URL(back.headers.get('location') ?? '', program.url) };
}

const me = async (browser: Browser) => (await browser.json<{ user?: { id: string; email: string } }>('/me')).body.user;

describe.each(['google', 'github'] as const)('%s', (id) => {
  const number = id === 'google' ? 100 : 200;

  it('signs in people whose address it has verified, and makes their account', async () => {
    const email = `${id}-new@people.test`;
    provider.user = { id: `${number + 1}`, email, isVerified: true, name: 'New' };
    const { browser, end } = await signInWith(id);
    expect(end.pathname).toBe('/app');
    const user = await me(browser);
    expect(user).toMatchObject({ email });
    expect(await me((await signInWith(id)).browser)).toEqual(user);
  });

  it('refuses an address that it has not verified', async () => {
    provider.user = { id: `${number + 2}`, email: `${id}-unverified@people.test`, isVerified: false, name: 'X' };
    const { browser, end } = await signInWith(id);
    expect(end.searchParams.get('error')).toBeTruthy();
    expect(await me(browser)).toBeUndefined();
  });

  it('joins the account with the same verified address, and never one of an unverified address', async () => {
    const user = await addUser(program);
    provider.user = { id: `${number + 3}`, email: user.email, isVerified: true, name: 'Same' };
    expect(await me((await signInWith(id)).browser)).toMatchObject({ id: user.id });
    provider.user = { id: `${number + 4}`, email: user.email, isVerified: false, name: 'Attacker' };
    expect(await me((await signInWith(id)).browser)).toBeUndefined();
  });

  it('is not blocked by somebody who has signed up with the address and never verified it', async () => {
    const email = `${id}-squatted@people.test`;
    const squatter = new Browser(program.url);
    await squatter.json('/auth/sign-up/email', { body: { email, password: 'password of a squatter', name: 'X' } });
    provider.user = { id: `${number + 5}`, email, isVerified: true, name: 'Owner' };
    expect(await me((await signInWith(id)).browser)).toMatchObject({ email });
    expect((await squatter.signIn(email, 'password of a squatter')).status).toBe(401);
  });

  it('asks for the second factor as well', async () => {
    const user = await addUser(program);
    const { body } = await user.browser.json<{ totpURI: string }>('/auth/two-factor/enable', {
      body: { password: testPassword },
    });
    const secret = fromBase32(new URL(body.totpURI).searchParams.get('secret') ?? '');
    const step = Math.floor(Date.now() / 30_000);
    const verify = (browser: Browser, code: string) => browser.json('/auth/two-factor/verify-totp', { body: { code } });
    expect((await verify(user.browser, codeOf(secret, step))).status).toBe(200);
    await program.postrider.app.get(Database).execute({ text: 'UPDATE auth."twoFactor" SET "lastUsedStep" = NULL' });
    provider.user = { id: `${number + 6}`, email: user.email, isVerified: true, name: 'Same' };
    const { browser, end } = await signInWith(id);
    expect(end.pathname).toBe('/app/sign-in/two-factor');
    expect(browser.cookie('postrider.session_token')).toBeUndefined();
    expect(await me(browser)).toBeUndefined();
    expect((await verify(browser, '000000')).status).toBe(401);
    expect((await verify(browser, codeOf(secret, step))).status).toBe(200);
    expect(await me(browser)).toMatchObject({ id: user.id });
  });

  it('its tokens are encrypted at rest', async () => {
    const rows = await program.postrider.app.get(Database).query<{ accessToken: string }>({
      text: `SELECT "accessToken" FROM auth.account WHERE "providerId" = $1`,
      values: [id],
    });
    expect(rows.length).toBeGreaterThan(0);
    for (const { accessToken } of rows) expect(accessToken).toMatch(/^\$ba\$/);
  });
});

it('the callback works only in the browser that has begun', async () => {
  provider.user = { id: '300', email: 'victim@people.test', isVerified: true, name: 'Attacker' };
  const attacker = new Browser(program.url);
  const body = { provider: 'google', callbackURL: '/app' };
  const begun = await attacker.json<{ url: string }>('/auth/sign-in/social', { body });
  const callback = new URL((await fetch(begun.body.url, { redirect: 'manual' })).headers.get('location') ?? '');
  const victim = new Browser(program.url);
  await victim.request(`${callback.pathname}${callback.search}`, { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(await me(victim)).toBeUndefined();
  const elsewhere = { ...body, callbackURL: 'https://evil.test/' };
  expect((await attacker.json('/auth/sign-in/social', { body: elsewhere })).status).toBe(403);
});

it('the buttons are shown, and a passkey can be registered after signing in a short while ago', async () => {
  const user = await addUser(program);
  expect((await user.browser.json('/sign-in-methods')).body).toMatchObject({ providers: ['google', 'github'] });
  const options = await user.browser.json('/auth/passkey/generate-register-options');
  expect(options).toMatchObject({ status: 200, body: { rp: { id: '127.0.0.1' } } });
  expect(options.body.authenticatorSelection).toMatchObject({ userVerification: 'required' });
  const stranger = new Browser(program.url);
  expect((await stranger.request('/auth/passkey/generate-register-options')).status).toBe(401);
  expect((await stranger.json('/auth/passkey/generate-authenticate-options')).status).toBe(200);
});

describe('a passkey', () => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(16).toString('base64url');
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

  /** COSE (RFC 9053 section 7.1.1). */
  function publicKey(): string {
    const { x = '', y = '' } = keys.publicKey.export({ format: 'jwk' });
    const [begin, between] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')];
    return Buffer.concat([begin, Buffer.from(x, 'base64url'), between, Buffer.from(y, 'base64url')]).toString('base64');
  }

  /** `flags`: 1 says that the user was present, 4 that a PIN or a finger has shown who it is. */
  async function signInWith(flags: number): Promise<{ status: number; body: Record<string, unknown> }> {
    const browser = new Browser(program.url);
    const { body: options } = await browser.json('/auth/passkey/generate-authenticate-options');
    expect(options).toMatchObject({ userVerification: 'required' });
    const client = JSON.stringify({ type: 'webauthn.get', challenge: options.challenge, origin: program.url });
    const authenticatorData = Buffer.concat([sha256('127.0.0.1'), Buffer.of(flags, 0, 0, 0, 0)]);
    const signed = Buffer.concat([authenticatorData, sha256(client)]);
    const response = {
      clientDataJSON: Buffer.from(client).toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, keys.privateKey).toString('base64url'),
    };
    const credential = {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      response,
      clientExtensionResults: {},
    };
    return browser.json('/auth/passkey/verify-authentication', { body: { response: credential } });
  }

  it('signs in only where its user was verified, since it counts as two factors', async () => {
    const user = await addUser(program);
    await program.postrider.app.get(Database).execute({
      text: `INSERT INTO auth.passkey ("publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
             VALUES ($1, $2, $3, 0, 'singleDevice', false)`,
      values: [publicKey(), user.id, credentialId],
    });
    expect(await signInWith(1)).toMatchObject({ status: 401, body: { name: 'passkey_user_not_verified' } });
    expect((await signInWith(5)).status).toBe(200);
  });
});

function fromBase32(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text].map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2))).toString();
}
