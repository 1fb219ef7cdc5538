import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser } from '../support/clients/browser.js';
import { linkTo } from '../support/clients/mailbox.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';
import { addMember, addUser, firstTeam, testPassword, TestUser } from '../support/builders/users.js';

const operatorKey = `op_${'k'.repeat(40)}`;

let program: TestProgram;
let teamId: string;
let owner: TestUser;

beforeAll(async () => {
  program = await startProgram({ OPERATOR_API_KEY: operatorKey });
  await program.request('/domains');
  teamId = await firstTeam(program);
});

afterAll(() => program.stop());

const inTeam = (id = teamId) => ({ 'x-team': id });
const tokenOf = (link: URL): string => link.hash.slice(1);
const asOperator = (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') =>
  new Browser(program.url).json<{ id: string; token: string; data: Record<string, unknown>[]; name: string }>(path, {
    method,
    body,
    headers: { authorization: `Bearer ${operatorKey}` },
  });

describe('the first owner', () => {
  const person = { email: 'Ada@People.test', name: 'Ada', password: testPassword };

  it('is made by the link of the first start, once', async () => {
    const browser = new Browser(program.url);
    expect((await browser.json('/sign-in-methods')).body).toMatchObject({ needs_owner: true, sign_up: 'invited' });
    const token = tokenOf(new URL(program.postrider.ownerUrl ?? ''));
    const wrong = await browser.json('/owner', { body: { ...person, token: `${token.slice(0, -1)}x` } });
    expect(wrong).toMatchObject({ status: 403, body: { name: 'invalid_owner_link' } });
    const attempts = [browser.json('/owner', { body: { ...person, token } })];
    attempts.push(new Browser(program.url).json('/owner', { body: { ...person, email: 'eve@people.test', token } }));
    expect((await Promise.all(attempts)).map(({ status }) => status).sort()).toEqual([201, 403]);
    expect((await browser.json('/owner', { body: { ...person, token } })).status).toBe(403);
    expect((await browser.json('/sign-in-methods')).body).toMatchObject({ needs_owner: false });
  });

  it('owns the first team and operates the installation', async () => {
    const browser = new Browser(program.url);
    const winner = (await browser.signIn('ada@people.test', testPassword)).status === 200 ? 'ada' : 'eve';
    await browser.signIn(`${winner}@people.test`, testPassword);
    const { body } = await browser.json<{ user: { id: string } }>('/me');
    expect(body).toMatchObject({ user: { is_operator: true }, teams: [{ id: teamId, role: 'owner' }] });
    owner = { id: body.user.id, email: `${winner}@people.test`, browser };
  });
});

describe('invitations', () => {
  const invite = (email: string, role = 'developer', by = owner) =>
    by.browser.json<{ id: string }>('/team/invitations', { body: { email, role }, headers: inTeam() });

  it('a new person joins with the link of the mail, which the inviter does not see', async () => {
    const made = await invite('Grace@People.test');
    expect(made).toMatchObject({ status: 201, body: { email: 'grace@people.test', role: 'developer' } });
    const token = tokenOf(await linkTo(program, 'grace@people.test', /invited/));
    expect(JSON.stringify(made.body)).not.toContain(token);
    const browser = new Browser(program.url);
    expect((await browser.json('/invitations/show', { body: { token } })).body).toMatchObject({
      team_name: 'My team',
      email: 'grace@people.test',
      has_account: false,
    });
    const accept = { token, name: 'Grace', password: testPassword };
    expect((await browser.json('/invitations/accept', { body: accept })).body).toEqual({ object: 'team', id: teamId });
    expect((await browser.json('/invitations/accept', { body: accept })).status).toBe(404);
    expect((await browser.signIn('grace@people.test', testPassword)).status).toBe(200);
    expect((await browser.json('/me')).body).toMatchObject({ teams: [{ id: teamId, role: 'developer' }] });
  });

  it('somebody with an account accepts signed in, with that address only', async () => {
    const [invited, other] = [await addUser(program), await addUser(program)];
    await invite(invited.email, 'viewer');
    const token = tokenOf(await linkTo(program, invited.email, /invited/));
    const body = { token };
    expect((await other.browser.json('/invitations/accept', { body })).body).toMatchObject({ name: 'other_address' });
    const takenOver = { token, name: 'X', password: 'another password' };
    expect((await new Browser(program.url).json('/invitations/accept', { body: takenOver })).status).toBe(409);
    expect((await invited.browser.json('/invitations/accept', { body })).status).toBe(200);
  });

  it('a replaced or revoked link does not work', async () => {
    await invite('later@people.test');
    const first = tokenOf(await linkTo(program, 'later@people.test', /invited/));
    const again = await invite('later@people.test', 'viewer');
    const show = (token: string) => new Browser(program.url).json('/invitations/show', { body: { token } });
    expect((await show(first)).status).toBe(404);
    const second = tokenOf(await linkTo(program, 'later@people.test', /invited/));
    expect((await show(second)).body).toMatchObject({ role: 'viewer' });
    await owner.browser.request(`/team/invitations/${again.body.id}`, { method: 'DELETE', headers: inTeam() });
    expect((await show(second)).status).toBe(404);
  });

  it('nobody invites above their own role, twice, or from another site', async () => {
    const admin = await addMember(program, teamId, 'admin');
    expect((await invite('x@people.test', 'owner', admin)).body).toMatchObject({ name: 'role_too_high' });
    expect((await invite(admin.email)).body).toMatchObject({ name: 'already_member' });
    expect((await invite('not an address')).status).toBe(422);
    const byKey = await program.request('/team/invitations', {
      method: 'POST',
      body: JSON.stringify({ email: 'x@people.test', role: 'owner' }),
      headers: { 'content-type': 'application/json' },
    });
    expect(byKey.status).toBe(403);
  });
});

describe('members', () => {
  const change = (by: TestUser, id: string, role: string) =>
    by.browser.json(`/team/members/${id}`, { method: 'PATCH', body: { role }, headers: inTeam() });
  const remove = (by: TestUser, id: string) =>
    by.browser.json(`/team/members/${id}`, { method: 'DELETE', headers: inTeam() });

  it('roles change at once, up to the role of whoever changes them', async () => {
    const [admin, viewer] = [await addMember(program, teamId, 'admin'), await addMember(program, teamId, 'viewer')];
    const send = () => viewer.browser.json('/suppressions', { body: { email: 'a@sink.test' }, headers: inTeam() });
    expect((await send()).status).toBe(403);
    expect((await change(admin, viewer.id, 'developer')).status).toBe(200);
    expect((await send()).status).toBe(201);
    expect((await change(admin, viewer.id, 'owner')).body).toMatchObject({ name: 'role_too_high' });
    expect((await change(admin, owner.id, 'viewer')).body).toMatchObject({ name: 'role_too_high' });
    expect((await remove(admin, owner.id)).body).toMatchObject({ name: 'role_too_high' });
    expect((await change(viewer, viewer.id, 'admin')).body).toMatchObject({ name: 'invalid_permission' });
    expect((await remove(viewer, admin.id)).body).toMatchObject({ name: 'invalid_permission' });
    expect((await remove(viewer, viewer.id)).status).toBe(200);
    expect((await viewer.browser.request('/emails', { headers: inTeam() })).status).toBe(404);
  });

  it('the last owner stays, also when two owners leave at once', async () => {
    expect((await remove(owner, owner.id)).body).toMatchObject({ name: 'last_owner' });
    expect((await change(owner, owner.id, 'viewer')).body).toMatchObject({ name: 'last_owner' });
    const second = await addMember(program, teamId, 'owner');
    const outcomes = await Promise.all([remove(owner, owner.id), remove(second, second.id)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409]);
    if (outcomes[0]?.status === 200) owner = second;
  });

  it('a team is transferred by its owner, to a member', async () => {
    const successor = await addMember(program, teamId, 'developer');
    const stranger = await addUser(program);
    const transfer = (by: TestUser, to: TestUser) =>
      by.browser.json('/team/transfer', { body: { user_id: to.id }, headers: inTeam() });
    expect((await transfer(owner, stranger)).status).toBe(404);
    expect((await transfer(successor, successor)).status).toBe(403);
    expect((await transfer(owner, successor)).status).toBe(200);
    expect((await owner.browser.json('/me')).body).toMatchObject({ teams: [{ role: 'admin' }] });
    owner = successor;
  });
});

describe('what a team has', () => {
  interface Found {
    readonly object: string;
    readonly name: string;
    readonly detail: string | null;
  }

  it('is found by its name in any case, by those who may read it, and in no other team', async () => {
    const post = async (path: string, body: object): Promise<string> => {
      const response = await program.request(path, { method: 'POST', body: JSON.stringify(body) });
      return ((await response.json()) as { id: string }).id;
    };
    const segmentId = await post('/segments', { name: 'Harbour people' });
    await post('/contacts', { email: 'harbour@customer.test', first_name: 'Ada', last_name: 'Harbour' });
    await post('/templates', { name: 'Welcome', alias: 'harbour-welcome', html: '<p>Hi</p>' });
    const address = (await program.request('/domains')).json() as Promise<{ data: { name: string }[] }>;
    const from = `a@${(await address).data[0]?.name ?? ''}`;
    for (const name of ['News of the harbour', 'Harbour news'])
      await post('/broadcasts', { name, subject: 'Hi', from, segment_id: segmentId });
    const find = async (q: string, as?: RequestInit) => {
      const response = await program.request(`/search?q=${encodeURIComponent(q)}`, as);
      return { status: response.status, found: ((await response.json()) as { results?: Found[] }).results };
    };
    const { found } = await find(' HARBOUR ');
    expect(found?.map(({ object, name, detail }) => [object, name, detail])).toEqual([
      ['contact', 'Ada Harbour', 'harbour@customer.test'],
      ['broadcast', 'Harbour news', 'draft'],
      ['broadcast', 'News of the harbour', 'draft'],
      ['template', 'Welcome', 'harbour-welcome'],
      ['segment', 'Harbour people', null],
    ]);
    expect((await find('draft')).found).toEqual([]);
    expect((await find(from.slice(2))).found).toMatchObject([{ object: 'domain', name: from.slice(2) }]);
    for (const q of ['', ' ', 'x'.repeat(201), 'a\0']) expect((await find(q)).status).toBe(422);
    expect((await find("'; --%_")).found).toEqual([]);

    const other = await asOperator('/operator/teams', { name: 'Harbour' });
    const asOther = { headers: { authorization: `Bearer ${other.body.token}` } };
    expect((await find('harbour', asOther)).found).toEqual([]);
    const sending = await program.request('/api-keys', {
      method: 'POST',
      body: JSON.stringify({ name: 'Sends', permission: 'sending_access' }),
    });
    const { token } = (await sending.json()) as { token: string };
    expect((await find('harbour', { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
  });

  it('begins with its default sender, which those who run the team set', async () => {
    const change = (by: TestUser, body: object) =>
      by.browser.json('/team', { method: 'PATCH', body, headers: inTeam() });
    const viewer = await addMember(program, teamId, 'viewer');
    const admin = await addMember(program, teamId, 'admin');
    expect((await change(viewer, { default_from: 'a@b.test' })).status).toBe(403);
    expect((await change(admin, { default_from: 'nobody' })).status).toBe(422);
    expect((await change(admin, { default_from: 'Shop <hello@shop.test>' })).status).toBe(200);
    expect(await (await program.request('/team')).json()).toMatchObject({ default_from: 'Shop <hello@shop.test>' });
    expect((await change(admin, { default_from: '' })).status).toBe(200);
    expect(await (await program.request('/team')).json()).toMatchObject({ default_from: null });
  });
});

describe('the operator', () => {
  it('runs an installation without a browser', async () => {
    const team = await asOperator('/operator/teams', { name: 'Second' });
    expect(team.status).toBe(201);
    const asTeam = (path: string) => program.request(path, { headers: { authorization: `Bearer ${team.body.token}` } });
    expect(await (await asTeam('/team')).json()).toMatchObject({ id: team.body.id, name: 'Second' });
    const user = { email: 'ops@people.test', name: 'Ops', password: testPassword };
    expect((await asOperator('/operator/users', user)).status).toBe(201);
    expect((await asOperator('/operator/users', user)).status).toBe(409);
    const put = await asOperator(`/operator/teams/${team.body.id}/members`, { email: user.email, role: 'owner' });
    expect(put.status).toBe(200);
    const browser = new Browser(program.url);
    await browser.signIn(user.email, testPassword);
    expect((await browser.json('/me')).body).toMatchObject({ teams: [{ name: 'Second', role: 'owner' }] });

    const limits = { requests_per_second: 2, daily_quota: 5, monthly_quota: 0 };
    expect((await asOperator(`/operator/teams/${team.body.id}`, limits, 'PATCH')).status).toBe(200);
    expect((await asOperator(`/operator/teams/${team.body.id}`)).body).toMatchObject(limits);
    let limited: Response[] = [];
    await until(async () => {
      limited = await Promise.all(Array.from({ length: 8 }, () => asTeam('/team')));
      return limited.some(({ status }) => status === 429);
    });
    expect(limited[0]?.headers.get('ratelimit-limit')).toBe('2');
    expect((await program.request('/team')).headers.get('ratelimit-limit')).toBe('10000');
    const reset = { requests_per_second: null };
    await asOperator(`/operator/teams/${team.body.id}`, reset, 'PATCH');
    expect((await asTeam('/team')).headers.get('ratelimit-limit')).toBe('10000');
  });

  it('is nobody else', async () => {
    for (const path of ['/operator/teams', '/operator/users', '/operator/audit']) {
      const outsider = await addUser(program);
      expect((await outsider.browser.json(path)).body).toMatchObject({ name: 'operator_only' });
      expect((await program.request(path)).status).toBe(401);
      const guessed = { authorization: `Bearer op_${'x'.repeat(40)}` };
      expect((await program.request(path, { headers: guessed })).status).toBe(401);
    }
    expect((await program.request('/domains', { headers: { authorization: `Bearer ${operatorKey}` } })).status).toBe(
      401,
    );
  });
});

describe('the audit log', () => {
  it('tells who changed what, from which address, before and after, and hides secrets', async () => {
    const url = 'https://hooks.test/one';
    const made = await owner.browser.json<{ id: string; signing_secret: string }>('/webhooks', {
      body: { endpoint: url, events: ['email.sent'] },
      headers: inTeam(),
    });
    expect(made.status).toBe(201);
    const changed = { endpoint: 'https://hooks.test/two' };
    await owner.browser.json(`/webhooks/${made.body.id}`, { method: 'PATCH', body: changed, headers: inTeam() });
    await owner.browser.request(`/webhooks/${made.body.id}`, { method: 'DELETE', headers: inTeam() });
    await owner.browser.json(`/webhooks/${made.body.id}`, { method: 'PATCH', body: changed, headers: inTeam() });
    const { body } = await owner.browser.json<{ data: Record<string, unknown>[] }>('/audit?limit=3', {
      headers: inTeam(),
    });
    const actor = { kind: 'user', id: owner.id, tool: null };
    expect(body.data).toMatchObject([
      { action: 'webhooks.delete', outcome: 'done', actor, target_id: made.body.id, before: changed, after: null },
      { action: 'webhooks.update', actor, address: '127.0.0.1', before: { endpoint: url }, after: changed },
      {
        action: 'webhooks.create',
        actor,
        target_id: made.body.id,
        after: { endpoint: url, signing_secret: '[hidden]' },
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(made.body.signing_secret);
  });

  it('is for admins of the team, and the operator sees all of it', async () => {
    const developer = await addMember(program, teamId, 'developer');
    expect((await developer.browser.json('/audit', { headers: inTeam() })).status).toBe(403);
    const { body } = await asOperator('/operator/audit?limit=100');
    const actions = body.data.map(({ action }) => action);
    for (const action of ['owner.create', 'operator.teams.create', 'operator.teams.update', 'operator.users.create']) {
      expect(actions).toContain(action);
    }
    expect(actions).toEqual(
      expect.arrayContaining(['team.members.update', 'team.transfer', 'team.invitations.create']),
    );
    expect(JSON.stringify(body)).not.toContain(testPassword);
  });
});
