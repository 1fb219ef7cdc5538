import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { Browser } from '../support/clients/browser.js';
import { OidcServer, OidcUser } from '../support/servers/oidc-server.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { addUser, testPassword } from '../support/builders/users.js';

/** Two real OpenID providers on loopback: `acme`, with groups, and `other`. */

const teamId = '0193b0a4-0000-7000-8000-00000000acce';
const acme = new OidcServer();
const other = new OidcServer();
let program: TestProgram;
let database: Database;

beforeAll(async () => {
  await Promise.all([acme.listen(), other.listen()]);
  const client = { client_id: OidcServer.clientId, client_secret: 'a secret of the client' };
  const groups = { admins: { [teamId]: 'admin' }, devs: { [teamId]: 'developer' }, owners: { [teamId]: 'owner' } };
  program = await startProgram({
    PASSWORD_SIGN_IN_OFF_DOMAINS: 'acme.test',
    OIDC_PROVIDERS: JSON.stringify([
      { id: 'acme', name: 'Acme', issuer: acme.url, scopes: ['groups'], groups, ...client },
      {
        id: 'other',
        name: 'Other',
        issuer: `${other.url}/`,
        trusts_addresses: true,
        domains: ['people.test'],
        ...client,
      },
      { id: 'away', name: 'Away', issuer: 'http://127.0.0.1:1', ...client },
    ]),
  });
  await Promise.all([acme.serve('acme', program.url), other.serve('other', program.url)]);
  database = program.postrider.app.get(Database);
  await database.execute({
    text: `INSERT INTO teams (id, name, created_at) VALUES ($1, 'Acme', now())`,
    values: [teamId],
  });
});

afterAll(async () => {
  await program.stop();
  await Promise.all([acme.close(), other.close()]);
});

const maxHops = 8;
let number = 0;
let ada: OidcUser;

beforeEach(() => {
  const sub = `user-${++number}`;
  ada = { sub, email: `${sub}@acme.test`, email_verified: true, name: 'Ada', groups: ['devs'] };
  acme.forge = undefined;
});

/** Clicks the button, and follows the browser through the provider. Returns the address to which it is sent back. */
async function answerOf(
  server: OidcServer,
  user: OidcUser,
  browser: Browser,
  change = (address: URL): void => void address,
): Promise<URL> {
  server.user = user;
  const provider = server === acme ? 'acme' : 'other';
  const begun = await browser.json<{ url: string }>('/auth/sign-in/social', {
    body: { provider, callbackURL: '/app' },
  });
  const address = new URL(begun.body.url);
  change(address);
  const atProvider = new Browser(address.origin);
  let next = address;
  for (let hop = 0; hop < maxHops && next.origin === address.origin; hop++) {
    const { headers } = await atProvider.request(`${next.pathname}${next.search}`);
    next = new URL(headers.get('location') ?? '', address);
  }
  expect(next.origin).toBe(program.url);
  return next;
}

/** Opens the address that the provider sent the browser to. Returns where it ends. */
async function comeBack(browser: Browser, { pathname, search }: Pick<URL, 'pathname' | 'search'>): Promise<URL> {
  const back = await browser.request(`${pathname}${search}`, { headers: { 'sec-fetch-site': 'cross-site' } });
  return new URL(back.headers.get('location') ?? '', program.url);
}

async function signIn(user: OidcUser, server = acme): Promise<{ browser: Browser; end: URL }> {
  const browser = new Browser(program.url);
  return { browser, end: await comeBack(browser, await answerOf(server, user, browser)) };
}

interface Me {
  readonly user?: { readonly id: string; readonly email: string };
  readonly teams?: readonly { readonly id: string; readonly role: string }[];
}

const me = async (browser: Browser): Promise<Me> => (await browser.json<Me>('/me')).body;
const rolesOf = async (browser: Browser) => (await me(browser)).teams?.map(({ id, role }) => [id, role]);

describe('signing in', () => {
  it('a person whom a group gives a team is let in without an invitation, and is the same person the next time', async () => {
    const { browser, end } = await signIn(ada);
    expect(end.pathname).toBe('/app');
    const { user } = await me(browser);
    expect(user).toMatchObject({ email: ada.email });
    expect(await rolesOf(browser)).toEqual([[teamId, 'developer']]);
    expect((await me((await signIn(ada)).browser)).user).toEqual(user);
  });

  it('a person without such a group needs an invitation', async () => {
    const { browser, end } = await signIn({ ...ada, groups: ['guests'] });
    expect(end.searchParams.get('error')).toBe('sign_up_closed');
    expect(await me(browser)).not.toHaveProperty('user');
  });

  it.each([false, undefined])('an address with email_verified %p does not count', async (email_verified) => {
    const { browser, end } = await signIn({ ...ada, email_verified });
    expect(end.searchParams.get('error')).toBeTruthy();
    expect(await me(browser)).not.toHaveProperty('user');
  });

  it('it joins the account with the same address, and a provider with trusted addresses needs no claim for that', async () => {
    const user = await addUser(program);
    const same = { ...ada, email: user.email };
    expect((await me((await signIn(same)).browser)).user).toMatchObject({ id: user.id });
    expect((await me((await signIn({ ...same, email_verified: undefined }, other)).browser)).user).toMatchObject({
      id: user.id,
    });
    expect(
      (await me((await signIn({ ...same, sub: 'b', email_verified: false }, other)).browser)).user,
    ).toBeUndefined();
  });

  it('a provider vouches for the addresses of its domains only', async () => {
    await signIn(ada);
    expect(await me((await signIn(ada, other)).browser)).not.toHaveProperty('user');
  });

  it('the page shows them by name, and one that is away keeps nobody from another', async () => {
    const browser = new Browser(program.url);
    const { body } = await browser.json('/sign-in-methods');
    expect(body).toMatchObject({ password: true, providers: ['acme', 'other', 'away'] });
    expect(body).toMatchObject({ provider_buttons: [{ id: 'acme', name: 'Acme', logo: null }, {}, {}] });
    const away = await browser.json('/auth/sign-in/social', { body: { provider: 'away', callbackURL: '/app' } });
    expect(away).toMatchObject({ status: 503, body: { name: 'provider_unreachable' } });
  });
});

describe('groups', () => {
  it('a role follows its groups, a membership ends with them, and the audit log names the provider', async () => {
    const { browser } = await signIn(ada);
    const { user } = await me(browser);
    await signIn({ ...ada, groups: ['devs', 'admins'] });
    expect(await rolesOf(browser)).toEqual([[teamId, 'admin']]);
    await signIn({ ...ada, groups: undefined });
    expect(await rolesOf(browser)).toEqual([]);
    const entries = await database.query({
      text: `SELECT action, before, after FROM audit_entries WHERE target_id = $1 ORDER BY id`,
      values: [user?.id],
    });
    expect(entries).toEqual([
      { action: 'team.members.follow_groups', before: { role: null }, after: { role: 'developer', provider: 'acme' } },
      {
        action: 'team.members.follow_groups',
        before: { role: 'developer' },
        after: { role: 'admin', provider: 'acme' },
      },
      { action: 'team.members.follow_groups', before: { role: 'admin' }, after: { role: null, provider: 'acme' } },
    ]);
  });

  it('a membership that a person gave stays, and so does the last owner', async () => {
    const user = await addUser(program);
    await database.execute({
      text: `INSERT INTO team_members (team_id, user_id, role, created_at) VALUES ($1, $2, 'viewer', now())`,
      values: [teamId, user.id],
    });
    await signIn({ ...ada, email: user.email, groups: ['admins'] });
    await signIn({ ...ada, email: user.email, groups: [] });
    expect(await rolesOf(user.browser)).toEqual([[teamId, 'viewer']]);
    const grace = { ...ada, sub: 'grace', email: 'grace@acme.test' };
    const { browser } = await signIn({ ...grace, groups: ['owners'] });
    await signIn({ ...grace, groups: [] });
    expect(await rolesOf(browser)).toEqual([[teamId, 'owner']]);
  });
});

describe('attacks on signing in', () => {
  const isNotIn = async (browser: Browser, end: URL): Promise<void> => {
    expect(end.searchParams.get('error')).toBeTruthy();
    expect(await me(browser)).not.toHaveProperty('user');
  };

  it('mix-up: an answer of one provider is not taken with the state of another', async () => {
    const browser = new Browser(program.url);
    const ofOther = await answerOf(other, { ...ada, email: 'a@people.test' }, browser);
    const state = ofOther.searchParams.get('state') as string;
    const begun = new Browser(program.url);
    const ofAcme = await answerOf(acme, ada, begun);
    // The browser began with `other`, and is sent on to `acme` by it.
    ofAcme.searchParams.set('state', state);
    await isNotIn(browser, await comeBack(browser, ofAcme));
    const again = new Browser(program.url);
    const forOther = await answerOf(other, { ...ada, email: 'b@people.test' }, again);
    forOther.pathname = '/auth/callback/acme';
    await isNotIn(again, await comeBack(again, forOther));
  });

  it('mix-up: with the challenge and the nonce of the state of another provider it is not taken either', async () => {
    const browser = new Browser(program.url);
    const { body } = await browser.json<{ url: string }>('/auth/sign-in/social', {
      body: { provider: 'other', callbackURL: '/app' },
    });
    const begun = new URL(body.url).searchParams;
    const answer = await answerOf(acme, ada, new Browser(program.url), ({ searchParams }) => {
      for (const name of ['state', 'nonce', 'code_challenge']) searchParams.set(name, begun.get(name) as string);
    });
    await isNotIn(browser, await comeBack(browser, answer));
  });

  it.each([
    ['another', (search: URLSearchParams) => search.set('iss', other.url)],
    ['no', (search: URLSearchParams) => search.delete('iss')],
  ])('mix-up: an answer with %s issuer is refused', async (_, change) => {
    const browser = new Browser(program.url);
    const answer = await answerOf(acme, ada, browser);
    expect(answer.searchParams.get('iss')).toBe(acme.url);
    change(answer.searchParams);
    await isNotIn(browser, await comeBack(browser, answer));
  });

  it('replay: an answer works once, and only in the browser that asked for it', async () => {
    const browser = new Browser(program.url);
    const answer = await answerOf(acme, ada, browser);
    const thief = new Browser(program.url);
    await isNotIn(thief, await comeBack(thief, answer));
    const fresh = await answerOf(acme, ada, browser);
    const cookies = browser.cookies();
    expect((await comeBack(browser, fresh)).pathname).toBe('/app');
    const copy = new Browser(program.url);
    for (const cookie of cookies.split('; ')) copy.setCookie(...(cookie.split('=', 2) as [string, string]));
    await isNotIn(copy, await comeBack(copy, fresh));
  });

  it('replay: a code is not taken in a sign-in that did not ask for it', async () => {
    const stolen = (await answerOf(acme, ada, new Browser(program.url))).searchParams.get('code') as string;
    const browser = new Browser(program.url);
    const answer = await answerOf(acme, ada, browser);
    answer.searchParams.set('code', stolen);
    await isNotIn(browser, await comeBack(browser, answer));
  });

  const past = Math.floor(Date.now() / 1_000) - 3_600;
  it.each<[string, (claims: object) => string]>([
    ['another nonce', (claims) => acme.token({ ...claims, nonce: 'another' })],
    ['no nonce', (claims) => acme.token({ ...claims, nonce: undefined })],
    ['another audience', (claims) => acme.token({ ...claims, aud: 'another client' })],
    ['a second audience', (claims) => acme.token({ ...claims, aud: [OidcServer.clientId, 'another'] })],
    ['another authorized party', (claims) => acme.token({ ...claims, azp: 'another client' })],
    ['another issuer', (claims) => acme.token({ ...claims, iss: other.url })],
    ['no subject', (claims) => acme.token({ ...claims, sub: undefined })],
    ['another subject than the user info', (claims) => acme.token({ ...claims, sub: 'somebody else' })],
    ['an end in the past', (claims) => acme.token({ ...claims, exp: past })],
    ['no end', (claims) => acme.token({ ...claims, exp: undefined })],
    ['no signature', (claims) => acme.token({ ...claims }, 'none')],
    ['the public key as a secret', (claims) => acme.token({ ...claims }, 'HS256')],
    ['the key of another provider', (claims) => other.token({ ...claims })],
    ['no JSON', () => 'a.b.c'],
  ])('an ID token with %s is refused', async (_, forge) => {
    acme.forge = forge;
    const { browser, end } = await signIn(ada);
    await isNotIn(browser, end);
    acme.forge = (claims) => acme.token({ ...claims });
    expect((await signIn(ada)).end.pathname).toBe('/app');
  });
});

describe('back-channel logout', () => {
  const send = (body: string, id = 'acme', type = 'application/x-www-form-urlencoded') =>
    fetch(`${program.url}/auth/oidc/${id}/back-channel-logout`, {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });
  const post = (token: string, id = 'acme') => send(String(new URLSearchParams({ logout_token: token })), id);

  it('ends every session of the person at once, and nobody else’s', async () => {
    const [first, second] = [await signIn(ada), await signIn(ada)];
    const bystander = await signIn({ ...ada, sub: 'bystander', email: 'bystander@acme.test' });
    const { user } = await me(first.browser);
    await acme.logOut(ada.sub);
    for (const { browser } of [first, second]) expect((await browser.request('/me')).status).toBe(401);
    expect((await bystander.browser.request('/me')).status).toBe(200);
    const [entry] = await database.query({
      text: `SELECT after FROM audit_entries WHERE action = 'account.sessions.end' AND target_id = $1`,
      values: [user?.id],
    });
    expect(entry).toEqual({ after: { provider: 'acme' } });
    await acme.logOut('whom nobody knows');
  });

  it('a token works once, with the provider that made it', async () => {
    const { browser } = await signIn(ada);
    const token = acme.token(acme.logoutClaims(ada.sub));
    expect((await post(token, 'other')).status).toBe(400);
    expect((await browser.request('/me')).status).toBe(200);
    expect((await post(token)).status).toBe(200);
    expect((await browser.request('/me')).status).toBe(401);
    const again = await signIn(ada);
    expect((await post(token)).status).toBe(400);
    expect((await again.browser.request('/me')).status).toBe(200);
  });

  const old = Math.floor(Date.now() / 1_000) - 1_200;
  it.each<[string, object]>([
    ['another audience', { aud: 'another client' }],
    ['another issuer', { iss: 'https://id.evil.test' }],
    ['no event', { events: {} }],
    [
      'an event of another kind',
      { events: { 'https://schemas.openid.net/secevent/caep/event-type/session-revoked': {} } },
    ],
    ['a nonce, as an ID token has', { nonce: 'a' }],
    ['no id of its own', { jti: undefined }],
    ['no time', { iat: undefined }],
    ['a time long ago', { iat: old, exp: undefined }],
    ['an end in the past', { iat: old, exp: old + 120 }],
    ['nobody', { sub: undefined }],
    ['no signature', { alg: 'none' }],
    ['the public key as a secret', { alg: 'HS256' }],
  ])('a token with %s is refused', async (_, { alg, ...change }: { alg?: 'none' | 'HS256' }) => {
    const { browser } = await signIn(ada);
    const refused = await post(acme.token({ ...acme.logoutClaims(ada.sub), ...change }, alg));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      error: 'invalid_request',
      error_description: 'The logout token is not valid.',
    });
    expect((await browser.request('/me')).status).toBe(200);
    // So that the limit of wrong tokens does not refuse the next case.
    await database.execute({ text: `DELETE FROM sign_in_attempts WHERE kind LIKE 'guess-%'` });
  });

  it('what is no form, is too large or is for nobody is refused', async () => {
    expect((await send('', 'acme')).status).toBe(400);
    expect((await send('{}', 'acme', 'application/json')).status).toBe(400);
    expect((await send(`logout_token=${'a'.repeat(20_000)}`)).ok).toBe(false);
    expect((await post('a.b.c', 'nobody')).status).toBe(404);
  });
});

describe('an address of a domain without passwords', () => {
  const off = { status: 403, body: { name: 'password_sign_in_off' } };
  const email = 'ada@ACME.test';

  it('does not sign in, sign up or ask for a link with a password', async () => {
    const browser = new Browser(program.url);
    expect(await browser.signIn(email, testPassword)).toMatchObject(off);
    const body = { email: ` ${email} `, password: testPassword, name: 'Ada' };
    expect(await browser.json('/auth/sign-up/email', { body })).toMatchObject(off);
    expect(await browser.json('/auth/request-password-reset', { body: { email } })).toMatchObject(off);
    expect(await browser.signIn('ada@sub.acme.test', testPassword)).toMatchObject({ status: 401 });
  });

  it('gets no password in another way, and does not leave the domain', async () => {
    const { browser } = await signIn(ada);
    const { user } = await me(browser);
    const passwords = { currentPassword: testPassword, newPassword: testPassword };
    expect(await browser.json('/auth/change-password', { body: passwords })).toMatchObject(off);
    const change = { newEmail: 'ada@elsewhere.test' };
    expect(await browser.json('/auth/change-email', { body: change })).toMatchObject(off);
    await database.execute({
      text: `INSERT INTO auth.verification (identifier, value, "expiresAt") VALUES ($1, $2, now() + interval '1 hour')`,
      values: ['reset-password:a-token', user?.id],
    });
    const reset = { token: 'a-token', newPassword: testPassword };
    expect((await browser.json('/auth/reset-password', { body: reset })).status).toBeGreaterThanOrEqual(400);
    expect(
      await database.query({
        text: `SELECT 1 FROM auth.account WHERE "userId" = $1 AND "providerId" = 'credential'`,
        values: [user?.id],
      }),
    ).toEqual([]);
  });
});
