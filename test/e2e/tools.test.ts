import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Config } from '#platform/config';
import { Database } from '#postgres/database';
import { setUserPassword } from '../../libs/accounts/src/infrastructure/persistence/set-user-password.js';
import { linkTo, mailTo } from '../support/clients/mailbox.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { ToolFlow, verifierOf } from '../support/clients/tool-flow.js';
import { addMember, firstTeam, TestUser, testPassword } from '../support/builders/users.js';

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

const json = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T;

interface Entry {
  readonly action: string;
  readonly actor: { readonly kind: string; readonly id: string | null; readonly tool: object | null };
  readonly after: unknown;
}

const audit = async (): Promise<readonly Entry[]> =>
  (await json<{ data: Entry[] }>(program.request('/audit?limit=100'))).data;

/** The newest grant of the team. */
const grantId = async (): Promise<string> =>
  (await json<{ data: { id: string }[] }>(program.request('/oauth/grants'))).data[0]?.id ?? '';

describe('the audit log', () => {
  it('names the user and the tool for what a tool did, and the user alone otherwise', async () => {
    const { access_token: token } = await flow.login();
    expect(await flow.tries(token, 'POST', '/suppressions', { email: 'by-tool@sink.test' })).toBe(201);
    const byHimself = { body: { email: 'by-hand@sink.test' }, headers: { 'x-team': teamId } };
    expect((await owner.browser.request('/suppressions', byHimself)).status).toBe(201);
    const [byHand, byTool] = (await audit()).filter(({ action }) => action === 'suppressions.create');
    expect(byHand?.actor).toEqual({ kind: 'user', id: owner.id, tool: null });
    const tool = { name: 'Command line', grant_id: await grantId() };
    expect(byTool?.actor).toEqual({ kind: 'user', id: owner.id, tool });
  });
});

const apiKey = (name = 'By a tool', permission = 'full_access') => ({ name, permission });
const makeKey = (token: string, body: object = apiKey()): Promise<{ id: string; token: string }> =>
  json(flow.asTool(token, '/api-keys', { method: 'POST', body: JSON.stringify(body) }));
const status = async (token: string, path = '/domains'): Promise<number> => (await flow.asTool(token, path)).status;
const invite = (role: string, email = `${role}-${Math.random()}@people.test`) => ({ email, role });
const revoke = async (id: string, as = owner): Promise<number> =>
  (await as.browser.request(`/oauth/grants/${id}`, { method: 'DELETE', headers: { 'x-team': teamId } })).status;

describe('what a tool makes', () => {
  it('is an API key with no more than the permissions of the tool', async () => {
    const { access_token: narrow } = await flow.login({ scope: 'api-keys:write' });
    expect(await flow.tries(narrow, 'POST', '/api-keys', apiKey())).toBe(403);
    expect(await flow.tries(narrow, 'POST', '/api-keys', apiKey('Sends', 'sending_access'))).toBe(403);
    const { access_token: sender } = await flow.login({ scope: 'api-keys:write sending_access' });
    expect(await flow.tries(sender, 'POST', '/api-keys', apiKey())).toBe(403);
    expect(await flow.tries(sender, 'POST', '/api-keys', apiKey('Sends', 'sending_access'))).toBe(201);
  });

  it('is no role in the team above its permissions, and never a transfer of the team', async () => {
    const member = await addMember(program, teamId, 'viewer');
    const { access_token: narrow } = await flow.login({ scope: 'team:write' });
    expect(await flow.tries(narrow, 'POST', '/team/invitations', invite('admin'))).toBe(403);
    expect(await flow.tries(narrow, 'POST', '/team/invitations', invite('viewer'))).toBe(403);
    expect(await flow.tries(narrow, 'PATCH', `/team/members/${member.id}`, { role: 'admin' })).toBe(403);
    const { access_token: wide } = await flow.login();
    expect(await flow.tries(wide, 'PATCH', `/team/members/${member.id}`, { role: 'developer' })).toBe(200);
    expect(await flow.tries(wide, 'POST', '/team/transfer', { user_id: member.id })).toBe(403);
    const { access_token: reader } = await flow.login({ user: member, scope: 'team:read' });
    expect((await flow.asTool(reader, `/team/members/${member.id}`, { method: 'DELETE', body: '{}' })).status).toBe(
      403,
    );
  });

  it('is nothing that goes on telling what the tool may not read', async () => {
    const webhook = { endpoint: 'https://hooks.test/', events: ['email.sent'] };
    const route = { name: 'All', addresses: ['*'], action: { type: 'forward', to: ['me@elsewhere.test'] } };
    const { access_token: narrow } = await flow.login({ scope: 'webhooks:write routes:write emails:write' });
    expect(await flow.tries(narrow, 'POST', '/webhooks', webhook)).toBe(403);
    expect(await flow.tries(narrow, 'POST', '/routes', route)).toBe(403);
    expect(await flow.tries(narrow, 'POST', `/emails/${teamId}/share`)).toBe(403);
    const reading = ['emails:read', 'audience:read', 'domains:read', 'suppressions:read'];
    for (const missing of reading) {
      const scope = ['webhooks:write', ...reading.filter((permission) => permission !== missing)].join(' ');
      const { access_token: token } = await flow.login({ scope });
      expect([missing, await flow.tries(token, 'POST', '/webhooks', webhook)]).toEqual([missing, 403]);
    }
    const { access_token: wide } = await flow.login({ scope: ['webhooks:write', ...reading].join(' ') });
    expect(await flow.tries(wide, 'POST', '/webhooks', webhook)).toBe(201);
  });

  it('names the grant and ends with it: keys, keys that these keys made, and invitations', async () => {
    const { access_token: token } = await flow.login();
    const [id, key] = [await grantId(), await makeKey(token)];
    const second = await makeKey(key.token, apiKey('By the key of a tool'));
    const invited = await json<{ id: string; oauth_grant_id: string }>(
      flow.asTool(key.token, '/team/invitations', { method: 'POST', body: JSON.stringify(invite('admin')) }),
    );
    expect(invited.oauth_grant_id).toBe(id);
    type Key = { id: string; oauth_grant_id: string | null };
    const keys = async (): Promise<Key[]> => (await json<{ data: Key[] }>(program.request('/api-keys'))).data;
    const made = (await keys()).filter(({ oauth_grant_id: grant }) => grant === id);
    expect(made.map((one) => one.id).sort()).toEqual([key.id, second.id].sort());
    expect([await status(key.token), await status(second.token)]).toEqual([200, 200]);

    expect(await revoke(id)).toBe(200);
    expect([await status(token), await status(key.token), await status(second.token)]).toEqual([401, 400, 400]);
    expect((await keys()).filter(({ oauth_grant_id: grant }) => grant === id)).toEqual([]);
    const open = await json<{ data: { id: string }[] }>(program.request('/team/invitations'));
    expect(open.data.map((one) => one.id)).not.toContain(invited.id);
  });
});

describe('a grant', () => {
  it('is revoked by the user who allowed it, whatever the role, and not by others of that role', async () => {
    for (const role of ['viewer', 'developer'] as const) {
      const [user, other] = [await addMember(program, teamId, role), await addMember(program, teamId, role)];
      const { access_token: token } = await flow.login({ user });
      const id = await grantId();
      expect(await revoke(id, other)).toBe(403);
      expect(await status(token)).toBe(200);
      expect(await revoke(id, user)).toBe(200);
      expect(await status(token)).toBe(401);
    }
  });

  it('may be ended by its tool, and grants of others only with `team:write`', async () => {
    await flow.login();
    const others = await grantId();
    const { access_token: token } = await flow.login({ scope: 'team:read' });
    const own = await grantId();
    const end = async (id: string): Promise<number> =>
      (await flow.asTool(token, `/oauth/grants/${id}`, { method: 'DELETE', body: '{}' })).status;
    expect(await end(others)).toBe(403);
    expect(await end(own)).toBe(200);
  });

  it('ends with the membership of its user, and does not come back with it', async () => {
    const user = await addMember(program, teamId, 'admin');
    const { access_token: token, refresh_token: refresh } = await flow.login({ user });
    const key = await makeKey(token);
    const database = program.postrider.app.get(Database);
    expect((await program.request(`/team/members/${user.id}`, { method: 'DELETE' })).status).toBe(200);
    expect([await status(token), await status(key.token)]).toEqual([401, 400]);
    await database.execute({
      text: `INSERT INTO team_members (team_id, user_id, role, created_at) VALUES ($1, $2, 'admin', now())`,
      values: [teamId, user.id],
    });
    expect([await status(token), await status(key.token), (await flow.refresh(refresh))[0]]).toEqual([401, 400, 400]);
  });

  it('shrinks with the role of its user, and so do its keys', async () => {
    const user = await addMember(program, teamId, 'admin');
    const { access_token: token } = await flow.login({ user });
    const key = await makeKey(token);
    const suppress = (by: string, email: string) => flow.tries(by, 'POST', '/suppressions', { email });
    expect([await suppress(token, 'x1@sink.test'), await suppress(key.token, 'x2@sink.test')]).toEqual([201, 201]);
    const body = JSON.stringify({ role: 'viewer' });
    expect((await program.request(`/team/members/${user.id}`, { method: 'PATCH', body })).status).toBe(200);
    expect([await suppress(token, 'x3@sink.test'), await suppress(key.token, 'x4@sink.test')]).toEqual([403, 401]);
    expect([await status(token), await status(key.token)]).toEqual([200, 200]);
  });

  it('ends where any of its earlier refresh tokens is used again, with an entry and a mail', async () => {
    const user = await addMember(program, teamId, 'developer');
    const stolen = await flow.login({ user });
    const id = await grantId();
    let current = stolen;
    for (let renewed = 0; renewed < 3; renewed++) [, current] = await flow.refresh(current.refresh_token);
    expect(await status(current.access_token)).toBe(200);
    expect((await flow.refresh(stolen.refresh_token))[0]).toBe(400);
    expect([await status(current.access_token), (await flow.refresh(current.refresh_token))[0]]).toEqual([401, 400]);
    const [entry] = (await audit()).filter(({ action }) => action === 'oauth.grants.revoke');
    expect(entry).toMatchObject({ actor: { kind: 'service' }, target_id: id, after: { reason: 'token_reused' } });
    expect(await mailTo(program, user.email)).toMatchObject([{ subject: 'A tool was signed out' }]);
  });
});

describe('a new password', () => {
  const reset = async (user: TestUser, more: object = {}): Promise<void> => {
    await user.browser.json('/auth/request-password-reset', { body: { email: user.email, redirectTo: '/app/reset' } });
    const link = await linkTo(program, user.email, /Set a new password/);
    const token = link.pathname.split('/').at(-1);
    const body = { token, newPassword: 'another good password', ...more };
    expect((await user.browser.request('/auth/reset-password', { body })).status).toBe(200);
  };

  it('after a reset ends the tools, their keys and the codes that wait', async () => {
    const user = await addMember(program, teamId, 'admin');
    const { access_token: token, refresh_token: refresh } = await flow.login({ user });
    const [id, key, verifier] = [await grantId(), await makeKey(token), verifierOf()];
    const code = (await flow.consent(verifier, { user })).searchParams.get('code') ?? '';
    await reset(user);
    expect([await status(token), await status(key.token), (await flow.refresh(refresh))[0]]).toEqual([401, 400, 400]);
    expect((await flow.redeem(verifier, code))[0]).toBe(400);
    type Grant = { id: string; revoked_at: string | null; revoked_reason: string | null };
    const { data } = await json<{ data: Grant[] }>(program.request('/oauth/grants'));
    const grant = data.find((one) => one.id === id);
    expect(grant).toMatchObject({ revoked_at: expect.any(String), revoked_reason: 'password_reset' });
    await user.browser.signIn(user.email, 'another good password');
    expect(await status((await flow.login({ user })).access_token)).toBe(200);
  });

  it('after a reset keeps the tools where the user wants it', async () => {
    const user = await addMember(program, teamId, 'developer');
    const { access_token: token } = await flow.login({ user });
    await reset(user, { keepTools: true });
    expect(await status(token)).toBe(200);
  });

  it('that a user chooses ends the tools where the user wants it', async () => {
    const user = await addMember(program, teamId, 'developer');
    const { access_token: token } = await flow.login({ user });
    const change = async (from: string, to: string, endTools: boolean): Promise<void> => {
      const body = { currentPassword: from, newPassword: to, endTools };
      expect((await user.browser.request('/auth/change-password', { body })).status).toBe(200);
    };
    await change(testPassword, 'a second good password', false);
    expect(await status(token)).toBe(200);
    await change('a second good password', 'a third good password', true);
    expect(await status(token)).toBe(401);
  });

  it('from the command line ends the tools', async () => {
    const user = await addMember(program, teamId, 'developer');
    const { access_token: token } = await flow.login({ user });
    const { databaseUrl = '', databaseDirectUrl = databaseUrl } = program.postrider.app.get(Config).values;
    await setUserPassword(databaseDirectUrl, {
      email: user.email,
      password: 'told on the phone',
      removesSecondFactor: false,
    });
    expect(await status(token)).toBe(401);
  });
});
