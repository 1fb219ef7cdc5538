import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { Browser } from '../support/clients/browser.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { authorizeQuery, callback, commandLine, Tokens, ToolFlow, verifierOf } from '../support/clients/tool-flow.js';
import { addMember, addUser, firstTeam, TestUser } from '../support/builders/users.js';

let program: TestProgram;
let teamId: string;
let owner: TestUser;
let flow: ToolFlow;

beforeAll(async () => {
  program = await startProgram();
  await program.request('/domains');
  teamId = await firstTeam(program);
  owner = await addMember(program, teamId, 'owner');
  flow = new ToolFlow(program, teamId, owner);
});

afterAll(() => program.stop());

describe('the command-line client', () => {
  it('gets tokens through the browser and uses the API with them', async () => {
    const verifier = verifierOf();
    const back = await flow.consent(verifier);
    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([callback, 'a state']);
    const [, tokens] = await flow.redeem(verifier, back.searchParams.get('code') ?? '');
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'full_access' });
    const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(claims).toMatchObject({ exp: expect.any(Number) });
    expect((await flow.asTool(tokens.access_token, '/domains')).status).toBe(200);
    const body = JSON.stringify({ email: 'tool@sink.test' });
    expect((await flow.asTool(tokens.access_token, '/suppressions', { method: 'POST', body })).status).toBe(201);
  });

  it('is sent to the sign-in page where nobody is signed in', async () => {
    const path = `/oauth/authorize?${authorizeQuery(verifierOf())}`;
    const opened = await new Browser(program.url).request(path, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(opened.headers.get('location')).toMatch(/^\/app\/sign-in\?next=%2Foauth%2Fconsent/);
  });

  it('is told that the user has denied', async () => {
    const back = await flow.consent(verifierOf(), { decision: 'deny' });
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.has('code')).toBe(false);
  });
});

describe('a token', () => {
  it('never allows more than its scopes and the present role of its user', async () => {
    const member = await addMember(program, teamId, 'developer');
    const narrow = await flow.login({ user: member, scope: 'emails:read team:write' });
    expect((await flow.asTool(narrow.access_token, '/emails')).status).toBe(200);
    expect((await flow.asTool(narrow.access_token, '/domains')).status).toBe(403);
    expect((await flow.asTool(narrow.access_token, '/team', { method: 'PATCH', body: '{"name":"Mine"}' })).status).toBe(
      403,
    );
    const wide = await flow.login({ user: member });
    expect((await flow.asTool(wide.access_token, '/suppressions')).status).toBe(200);
    await program.postrider.app
      .get(Database)
      .execute({ text: `DELETE FROM team_members WHERE user_id = $1`, values: [member.id] });
    expect((await flow.asTool(wide.access_token, '/suppressions')).status).toBe(401);
    expect((await flow.refresh(wide.refresh_token))[0]).toBe(400);
  });

  it('that is forged, changed or of another kind is refused', async () => {
    const { access_token: token } = await flow.login();
    const [head = '', body = '', signature = ''] = token.split('.');
    const other = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const forged = [
      `${head}.${other({ ...claims, exp: 9_999_999_999 })}.${signature}`,
      `${other({ alg: 'none' })}.${body}.`,
      `${other({ alg: 'none' })}.${body}.${signature}`,
      `${head}.${body}.${Buffer.alloc(32).toString('base64url')}`,
    ];
    for (const one of forged) expect((await flow.asTool(one, '/domains')).status).toBe(401);
  });

  it('is replaced by the refresh token, which works once: used twice, the grant ends', async () => {
    const first = await flow.login();
    const [status, second] = await flow.refresh(first.refresh_token);
    expect(status).toBe(200);
    expect((await flow.asTool(second.access_token, '/domains')).status).toBe(200);
    expect(await flow.refresh(first.refresh_token)).toMatchObject([400, { error: 'invalid_grant' }]);
    expect((await flow.asTool(second.access_token, '/domains')).status).toBe(401);
    expect((await flow.refresh(second.refresh_token))[0]).toBe(400);
  });

  it('ends when it is revoked by the tool or by the team', async () => {
    const byTool = await flow.login();
    expect((await flow.form('/oauth/revoke', { client_id: commandLine, token: byTool.refresh_token })).status).toBe(
      200,
    );
    expect((await flow.asTool(byTool.access_token, '/domains')).status).toBe(401);
    expect((await flow.form('/oauth/revoke', { client_id: commandLine, token: 'unknown' })).status).toBe(200);

    const byTeam = await flow.login();
    const { data } = (await (await program.request('/oauth/grants')).json()) as { data: { id: string }[] };
    expect(data[0]).toMatchObject({ client: { name: 'Command line', logo_uri: null }, revoked_at: null });
    const revoked = await program.request(`/oauth/grants/${data[0]?.id}`, { method: 'DELETE' });
    expect(await revoked.json()).toMatchObject({ object: 'oauth_grant', revoked_reason: 'revoked_from_api' });
    expect((await flow.asTool(byTeam.access_token, '/domains')).status).toBe(401);
  });
});

describe('a code', () => {
  it('works once, within its client and its PKCE: used twice, what it gave ends', async () => {
    const verifier = verifierOf();
    const code = (await flow.consent(verifier)).searchParams.get('code') ?? '';
    expect(await flow.redeem(verifierOf(), code)).toMatchObject([400, { error: 'invalid_grant' }]);
    expect(await flow.redeem('', code)).toMatchObject([400, { error: 'invalid_grant' }]);
    expect(await flow.redeem(verifier, code, { redirect_uri: 'http://127.0.0.1:1/oauth/callback' })).toMatchObject([
      400,
      {},
    ]);
    const [, tokens] = await flow.redeem(verifier, code);
    expect((await flow.asTool(tokens.access_token, '/domains')).status).toBe(200);
    expect(await flow.redeem(verifier, code)).toMatchObject([400, { error: 'invalid_grant' }]);
    expect((await flow.asTool(tokens.access_token, '/domains')).status).toBe(401);
  });

  it('is given for a team of the user only, and only by a form of our own page', async () => {
    const stranger = await addUser(program);
    const query = authorizeQuery(verifierOf());
    const fields = { query, team: teamId, decision: 'allow' };
    const headers = { origin: program.url, 'sec-fetch-site': 'same-origin' };
    const asUser = (user: TestUser, more: Record<string, string> = {}) =>
      flow.form('/oauth/consent', fields, { ...headers, cookie: user.browser.cookies(), ...more });
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
      const { searchParams } = new URL(refused.headers.get('location') ?? '');
      expect(searchParams.get('error')).toBeTruthy();
      expect(searchParams.get('iss')).toBe(program.url);
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
    const code =
      (await flow.consent(verifier, { clientId: secret.client_id, redirectUri })).searchParams.get('code') ?? '';
    const fields = { client_id: secret.client_id, redirect_uri: redirectUri };
    expect(await flow.redeem(verifier, code, fields)).toMatchObject([401, { error: 'invalid_client' }]);
    expect(await flow.redeem(verifier, code, { ...fields, client_secret: secret.client_secret })).toMatchObject([
      200,
      {},
    ]);
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
    const back = await flow.consent(verifier, { clientId, scope, more: { resource } });
    const [, tokens] = await flow.redeem(verifier, back.searchParams.get('code') ?? '', fields);
    expect((await flow.asTool(tokens.access_token, '/domains')).status).toBe(200);
    const again = { ...fields, grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    const renewed = await json<Tokens>(await flow.form('/oauth/token', again));
    expect((await flow.asTool(renewed.access_token, '/domains')).status).toBe(200);
    expect((await flow.form('/oauth/revoke', { client_id: clientId, token: renewed.refresh_token })).status).toBe(200);
    expect((await flow.asTool(renewed.access_token, '/domains')).status).toBe(401);
  });

  it('makes nobody a place to which a link of ours leads unasked', async () => {
    const redirect_uri = 'https://evil.test/?a=1';
    const { client_id } = (await (await register({ redirect_uris: [redirect_uri] })).json()) as { client_id: string };
    const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'token' });
    for (const path of ['/oauth/authorize', '/oauth/consent']) {
      const refused = await fetch(`${program.url}${path}?${String(query)}`, { redirect: 'manual' });
      expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
      expect(await refused.text()).toContain('href="https://evil.test/?a=1&#38;error=unsupported_response_type&#38;');
    }
  });

  it('is refused for addresses that are no place for a code, and limited', async () => {
    for (const uri of ['javascript:alert(1)', 'http://evil.test/', 'https://a.test/#x']) {
      expect((await register({ redirect_uris: [uri] })).status).toBe(400);
    }
    const many = await Promise.all(Array.from({ length: 25 }, () => register({ redirect_uris: ['https://a.test/'] })));
    const refused = many.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(3_500);
  });
});
