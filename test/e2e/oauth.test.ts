import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#platform/database';
import { Browser } from '../support/browser.js';
import { startProgram, TestProgram } from '../support/program.js';
import { addMember, addUser, firstTeam, TestUser } from '../support/users.js';

let program: TestProgram;
let teamId: string;
let owner: TestUser;

beforeAll(async () => {
  program = await startProgram();
  await program.request('/domains');
  teamId = await firstTeam(program);
  owner = await addMember(program, teamId, 'owner');
});

afterAll(() => program.stop());

const commandLine = '7136aa0b-625c-4c9c-8820-e9784c8eb141';
const callback = 'http://127.0.0.1:4567/oauth/callback';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly error?: string;
}

interface Flow {
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly scope?: string;
  readonly user?: TestUser;
  readonly team?: string;
  readonly decision?: string;
  readonly more?: Record<string, string>;
}

const verifierOf = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

function authorizeQuery(verifier: string, flow: Flow = {}, changes: Record<string, string> = flow.more ?? {}): string {
  const { clientId = commandLine, redirectUri = callback, scope = 'full_access' } = flow;
  const query = { response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope, state: 'a state' };
  const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' };
  return String(new URLSearchParams({ ...query, ...pkce, ...changes }));
}

const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${program.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
    redirect: 'manual',
  });

/** What the browser of a user does: follows the tool's link, reads the page, and sends its form. */
async function consent(verifier: string, flow: Flow = {}): Promise<URL> {
  const { user = owner, team = teamId, decision = 'allow' } = flow;
  const opened = await user.browser.request(`/oauth/authorize?${authorizeQuery(verifier, flow)}`, {
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  expect(opened.status).toBe(302);
  const page = await user.browser.request(opened.headers.get('location') ?? '', {
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const html = await page.text();
  expect(html).not.toMatch(/<script|javascript:/i);
  const query = (/name="query" value="([^"]*)"/.exec(html)?.[1] ?? '').replace(/&#(\d+);/g, (_, code) =>
    String.fromCharCode(Number(code)),
  );
  const headers = { cookie: user.browser.cookies(), origin: program.url, 'sec-fetch-site': 'same-origin' };
  const decided = await form('/oauth/consent', { query, team, decision }, headers);
  return new URL(decided.headers.get('location') ?? '');
}

async function redeem(verifier: string, code: string, fields: Record<string, string> = {}): Promise<[number, Tokens]> {
  const response = await form('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: commandLine,
    redirect_uri: callback,
    code,
    code_verifier: verifier,
    ...fields,
  });
  return [response.status, (await response.json()) as Tokens];
}

const refresh = async (token: string): Promise<[number, Tokens]> => {
  const response = await form('/oauth/token', {
    grant_type: 'refresh_token',
    client_id: commandLine,
    refresh_token: token,
  });
  return [response.status, (await response.json()) as Tokens];
};

async function login(flow: Flow = {}): Promise<Tokens> {
  const verifier = verifierOf();
  const code = (await consent(verifier, flow)).searchParams.get('code') ?? '';
  const [status, tokens] = await redeem(verifier, code, {
    client_id: flow.clientId ?? commandLine,
    redirect_uri: flow.redirectUri ?? callback,
  });
  expect(status).toBe(200);
  return tokens;
}

const asTool = (token: string, path: string, init: RequestInit = {}) =>
  program.request(path, { ...init, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } });

describe('the command-line client', () => {
  it('gets tokens through the browser and uses the API with them', async () => {
    const verifier = verifierOf();
    const back = await consent(verifier);
    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([callback, 'a state']);
    const [, tokens] = await redeem(verifier, back.searchParams.get('code') ?? '');
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'full_access' });
    const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(claims).toMatchObject({ exp: expect.any(Number) });
    expect((await asTool(tokens.access_token, '/domains')).status).toBe(200);
    const body = JSON.stringify({ email: 'tool@sink.test' });
    expect((await asTool(tokens.access_token, '/suppressions', { method: 'POST', body })).status).toBe(201);
  });

  it('is sent to the sign-in page where nobody is signed in', async () => {
    const path = `/oauth/authorize?${authorizeQuery(verifierOf())}`;
    const opened = await new Browser(program.url).request(path, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(opened.headers.get('location')).toMatch(/^\/app\/sign-in\?next=%2Foauth%2Fconsent/);
  });

  it('is told that the user has denied', async () => {
    const back = await consent(verifierOf(), { decision: 'deny' });
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.has('code')).toBe(false);
  });
});

describe('a token', () => {
  it('never allows more than its scopes and the present role of its user', async () => {
    const member = await addMember(program, teamId, 'developer');
    const narrow = await login({ user: member, scope: 'emails:read team:write' });
    expect((await asTool(narrow.access_token, '/emails')).status).toBe(200);
    expect((await asTool(narrow.access_token, '/domains')).status).toBe(403);
    expect((await asTool(narrow.access_token, '/team', { method: 'PATCH', body: '{"name":"Mine"}' })).status).toBe(403);
    const wide = await login({ user: member });
    expect((await asTool(wide.access_token, '/suppressions')).status).toBe(200);
    await program.postrider.app
      .get(Database)
      .execute({ text: `DELETE FROM team_members WHERE user_id = $1`, values: [member.id] });
    expect((await asTool(wide.access_token, '/suppressions')).status).toBe(401);
    expect((await refresh(wide.refresh_token))[0]).toBe(400);
  });

  it('that is forged, changed or of another kind is refused', async () => {
    const { access_token: token } = await login();
    const [head = '', body = '', signature = ''] = token.split('.');
    const other = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const forged = [
      `${head}.${other({ ...claims, exp: 9_999_999_999 })}.${signature}`,
      `${other({ alg: 'none' })}.${body}.`,
      `${other({ alg: 'none' })}.${body}.${signature}`,
      `${head}.${body}.${Buffer.alloc(32).toString('base64url')}`,
    ];
    for (const one of forged) expect((await asTool(one, '/domains')).status).toBe(401);
  });

  it('is replaced by the refresh token, which works once: used twice, the grant ends', async () => {
    const first = await login();
    const [status, second] = await refresh(first.refresh_token);
    expect(status).toBe(200);
    expect((await asTool(second.access_token, '/domains')).status).toBe(200);
    expect(await refresh(first.refresh_token)).toMatchObject([400, { error: 'invalid_grant' }]);
    expect((await asTool(second.access_token, '/domains')).status).toBe(401);
    expect((await refresh(second.refresh_token))[0]).toBe(400);
  });

  it('ends when it is revoked by the tool or by the team', async () => {
    const byTool = await login();
    expect((await form('/oauth/revoke', { client_id: commandLine, token: byTool.refresh_token })).status).toBe(200);
    expect((await asTool(byTool.access_token, '/domains')).status).toBe(401);
    expect((await form('/oauth/revoke', { client_id: commandLine, token: 'unknown' })).status).toBe(200);

    const byTeam = await login();
    const { data } = (await (await program.request('/oauth/grants')).json()) as { data: { id: string }[] };
    expect(data[0]).toMatchObject({ client: { name: 'Command line' }, scopes: ['full_access'], revoked_at: null });
    const revoked = await program.request(`/oauth/grants/${data[0]?.id}`, { method: 'DELETE' });
    expect(await revoked.json()).toMatchObject({ object: 'oauth_grant', revoked_reason: 'revoked_from_api' });
    expect((await asTool(byTeam.access_token, '/domains')).status).toBe(401);
  });
});

describe('a code', () => {
  it('works once, within its client and its PKCE: used twice, what it gave ends', async () => {
    const verifier = verifierOf();
    const code = (await consent(verifier)).searchParams.get('code') ?? '';
    expect(await redeem(verifierOf(), code)).toMatchObject([400, { error: 'invalid_grant' }]);
    expect(await redeem('', code)).toMatchObject([400, { error: 'invalid_grant' }]);
    expect(await redeem(verifier, code, { redirect_uri: 'http://127.0.0.1:1/oauth/callback' })).toMatchObject([
      400,
      {},
    ]);
    const [, tokens] = await redeem(verifier, code);
    expect((await asTool(tokens.access_token, '/domains')).status).toBe(200);
    expect(await redeem(verifier, code)).toMatchObject([400, { error: 'invalid_grant' }]);
    expect((await asTool(tokens.access_token, '/domains')).status).toBe(401);
  });

  it('is given for a team of the user only, and only by a form of our own page', async () => {
    const stranger = await addUser(program);
    const query = authorizeQuery(verifierOf());
    const fields = { query, team: teamId, decision: 'allow' };
    const headers = { origin: program.url, 'sec-fetch-site': 'same-origin' };
    const asUser = (user: TestUser, more: Record<string, string> = {}) =>
      form('/oauth/consent', fields, { ...headers, cookie: user.browser.cookies(), ...more });
    expect((await asUser(stranger)).status).toBe(400);
    expect((await asUser(owner, { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await asUser(owner, { origin: 'null' })).status).toBe(403);
  });

  it('is never sent to an address that the client has not registered', async () => {
    const open = (changes: Record<string, string>) =>
      owner.browser.request(`/oauth/authorize?${authorizeQuery(verifierOf(), {}, changes)}`);
    for (const redirect_uri of [
      'https://evil.test/',
      'http://127.0.0.1:1/other',
      'javascript:alert(1)',
      `${callback}.evil.test`,
    ]) {
      expect((await open({ redirect_uri })).status).toBe(400);
    }
    expect((await open({ client_id: '"><script>' })).status).toBe(400);
    for (const changes of [
      { code_challenge_method: 'plain' },
      { scope: 'root' },
      { response_type: 'token' },
    ] as const) {
      const refused = await open(changes as unknown as Record<string, string>);
      expect(new URL(refused.headers.get('location') ?? '').searchParams.get('error')).toBeTruthy();
    }
  });
});

describe('registration', () => {
  const register = (body: object) =>
    fetch(`${program.url}/oauth/register`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  it('a tool gets a secret where it wants one', async () => {
    const redirectUri = 'https://tool.test/callback';
    const methods = { redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_basic' };
    const secret = (await (await register(methods)).json()) as { client_id: string; client_secret: string };
    expect(secret).toMatchObject({ client_secret_expires_at: 0 });
    const verifier = verifierOf();
    const code = (await consent(verifier, { clientId: secret.client_id, redirectUri })).searchParams.get('code') ?? '';
    const fields = { client_id: secret.client_id, redirect_uri: redirectUri };
    expect(await redeem(verifier, code, fields)).toMatchObject([401, { error: 'invalid_client' }]);
    expect(await redeem(verifier, code, { ...fields, client_secret: secret.client_secret })).toMatchObject([200, {}]);
  });

  it('a tool that knows only the API finds everything from its first refusal', async () => {
    const json = async <T>(response: Response) => (await response.json()) as T;
    const refused = await fetch(`${program.url}/domains`);
    const known = /^Bearer resource_metadata="([^"]+)"$/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? '';
    type Resource = { resource: string; authorization_servers: string[]; scopes_supported: string[] };
    const { resource, scopes_supported: scopes, ...found } = await json<Resource>(await fetch(known));
    expect([resource, found]).toMatchObject([program.url, { authorization_servers: [program.url] }]);
    const metadata = await json(await fetch(`${program.url}/.well-known/oauth-authorization-server`));
    expect(metadata).toMatchObject({ registration_endpoint: `${program.url}/oauth/register` });
    const tool = { client_name: '<b>Tool</b>', redirect_uris: [callback], token_endpoint_auth_method: 'none' };
    const scope = scopes.join(' ');
    const made = await register({ ...tool, scope, grant_types: ['authorization_code', 'refresh_token'] });
    const clientId = (await json<{ client_id: string }>(made)).client_id;
    const [verifier, fields] = [verifierOf(), { client_id: clientId, resource }];
    const back = await consent(verifier, { clientId, scope, more: { resource } });
    const [, tokens] = await redeem(verifier, back.searchParams.get('code') ?? '', fields);
    expect((await asTool(tokens.access_token, '/domains')).status).toBe(200);
    const again = { ...fields, grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    const renewed = await json<Tokens>(await form('/oauth/token', again));
    expect((await asTool(renewed.access_token, '/domains')).status).toBe(200);
    expect((await form('/oauth/revoke', { client_id: clientId, token: renewed.refresh_token })).status).toBe(200);
    expect((await asTool(renewed.access_token, '/domains')).status).toBe(401);
  });

  it('is refused for addresses that are no place for a code, and limited', async () => {
    for (const uri of ['javascript:alert(1)', 'http://evil.test/', 'https://a.test/#x']) {
      expect((await register({ redirect_uris: [uri] })).status).toBe(400);
    }
    const many = await Promise.all(Array.from({ length: 25 }, () => register({ redirect_uris: ['https://a.test/'] })));
    expect(many.some(({ status }) => status === 429)).toBe(true);
  });
});
