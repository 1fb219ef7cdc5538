import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { Browser } from '../support/clients/browser.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { addMember, addUser, firstTeam, testPassword, TestUser } from '../support/builders/users.js';

let program: TestProgram;
let teamId: string;
let owner: TestUser;

beforeAll(async () => {
  program = await startProgram();
  // The description is checked from the first request with a key on.
  await program.request('/domains');
  teamId = await firstTeam(program);
  owner = await addMember(program, teamId, 'owner');
});

afterAll(() => program.stop());

const session = 'postrider.session_token';
const team = (id = teamId) => ({ 'x-team': id });

describe('a signed-in user', () => {
  it('reads who they are, their teams and what they may do', async () => {
    const { status, body } = await owner.browser.json('/me');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user: { id: owner.id, email: owner.email, is_operator: false, has_second_factor: false, is_confirmed: true },
      teams: [{ id: teamId, role: 'owner', permissions: expect.arrayContaining(['emails:send', 'team:write']) }],
    });
  });

  it('uses the whole API in a team of theirs', async () => {
    expect((await owner.browser.request('/domains', { headers: team() })).status).toBe(200);
    const made = await owner.browser.json('/suppressions', { body: { email: 'a@sink.test' }, headers: team() });
    expect(made.status).toBe(201);
  });

  it('has no access without the team, or to a team of others', async () => {
    expect(await owner.browser.json('/domains')).toMatchObject({ status: 422, body: { name: 'missing_team' } });
    const other = await addSecondTeam(program.postrider.app);
    for (const id of [other.id, '0196f3a1-7a2c-7d4f-8e22-3a5f9b8c6d71', 'x', "' OR 1=1"]) {
      expect(await owner.browser.json('/domains', { headers: team(id) })).toMatchObject({
        status: 404,
        body: { message: 'Team not found' },
      });
    }
  });

  it('lists and ends sessions, never seeing a token', async () => {
    const elsewhere = new Browser(program.url);
    await elsewhere.signIn(owner.email, testPassword);
    const { body } = await owner.browser.json<{ data: { id: string; is_current: boolean }[] }>('/me/sessions');
    expect(body.data.filter(({ is_current }) => is_current)).toHaveLength(1);
    const token = decodeURIComponent(elsewhere.cookie(session) ?? '').split('.')[0] as string;
    expect(JSON.stringify(body)).not.toContain(token);
    expect(JSON.stringify((await elsewhere.json('/auth/get-session')).body)).not.toContain(token);
    for (const path of ['/auth/list-sessions', '/auth/revoke-session', '/auth/ok', '/auth/token']) {
      expect((await owner.browser.request(path)).status).toBe(404);
    }
    const other = body.data.find(({ is_current }) => !is_current);
    expect((await owner.browser.request(`/me/sessions/${other?.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await elsewhere.request('/me')).status).toBe(401);
    expect((await owner.browser.request('/me')).status).toBe(200);
  });

  it('cannot end the session of somebody else', async () => {
    const victim = await addUser(program);
    const { body } = await victim.browser.json<{ data: { id: string }[] }>('/me/sessions');
    const ended = await owner.browser.json(`/me/sessions/${body.data[0]?.id}`, { method: 'DELETE' });
    expect(ended).toMatchObject({ status: 404 });
    expect((await victim.browser.request('/me')).status).toBe(200);
  });
});

describe('requests that other sites make a browser send are refused', () => {
  const write = (headers: Record<string, string | undefined>) =>
    owner.browser.json('/suppressions', { body: { email: 'b@sink.test' }, headers: { ...team(), ...headers } });

  it.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['from another origin', { origin: 'https://evil.test' }],
    ['from a sandboxed frame', { origin: 'null' }],
    ['without the header that forms cannot send', { 'x-requested-with': undefined }],
    ['without any sign of its origin', { origin: undefined, 'sec-fetch-site': undefined }],
  ])('%s', async (_, headers) => {
    expect(await write(headers)).toMatchObject({ status: 403, body: { name: 'cross_site_request' } });
  });

  it('signing in and out as well', async () => {
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    const stranger = new Browser(program.url);
    const body = { email: owner.email, password: testPassword };
    expect((await stranger.json('/auth/sign-in/email', { body, headers })).status).toBe(403);
    expect((await owner.browser.json('/auth/sign-out', { body: {}, headers })).status).toBe(403);
    expect((await owner.browser.request('/me')).status).toBe(200);
  });

  it('reading as well', async () => {
    expect((await owner.browser.request('/me', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  });
});

describe('cookies', () => {
  it('are HttpOnly and SameSite, and signed', async () => {
    const browser = new Browser(program.url);
    const body = { email: owner.email, password: testPassword };
    const response = await browser.request('/auth/sign-in/email', { body });
    const cookies = response.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/Path=\/; HttpOnly; SameSite=Lax/i);
    expect(await response.text()).not.toContain('token');
    browser.setCookie(session, `${browser.cookie(session)?.split('.')[0]}.AAAA`);
    expect((await browser.request('/me')).status).toBe(401);
  });

  it('cannot be fixed by somebody else: signing in makes a new session, and two cookies of one name count as none', async () => {
    const browser = new Browser(program.url);
    browser.setCookie(session, owner.browser.cookie(session) as string);
    const victim = await addUser(program);
    await browser.signIn(victim.email, testPassword);
    expect(browser.cookie(session)).not.toBe(owner.browser.cookie(session));
    const twice = `${session}=${victim.browser.cookie(session)}; ${session}=${owner.browser.cookie(session)}`;
    expect((await new Browser(program.url).request('/me', { headers: { cookie: twice } })).status).toBe(401);
  });

  it('hold the only copy of the token: the database has a hash, which is no token', async () => {
    const [row] = await program.postrider.app
      .get(Database)
      .query<{ token: string }>({ text: 'SELECT token FROM auth.session LIMIT 1' });
    expect(row?.token).toMatch(/^sha256:/);
    const token = decodeURIComponent(owner.browser.cookie(session) ?? '');
    expect(row?.token).not.toContain(token.split('.')[0]);
  });

  it('end with signing out, at once', async () => {
    const user = await addUser(program);
    const stolen = user.browser.cookies();
    expect((await user.browser.request('/auth/sign-out', { body: {} })).status).toBe(200);
    expect((await new Browser(program.url).request('/me', { headers: { cookie: stolen } })).status).toBe(401);
  });
});
