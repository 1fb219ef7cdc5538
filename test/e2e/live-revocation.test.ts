import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startProgram, testApiKey, TestProgram } from '../support/programs/program.js';
import { ToolFlow } from '../support/clients/tool-flow.js';
import { addMember, firstTeam, TestUser } from '../support/builders/users.js';

/** The service promises one second. The rest is for a machine that is shared. */
const soonMs = 10_000;

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

/** Opens a stream. Returns whether it ended while `act` was done and in the time after it. */
async function endsAfter(
  headers: Record<string, string>,
  act: () => Promise<unknown>,
  within = soonMs,
): Promise<boolean> {
  const stop = new AbortController();
  const response = await fetch(`${program.url}/live`, { headers, signal: stop.signal });
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  await reader?.read();
  await act();
  const timer = setTimeout(() => stop.abort(), within);
  try {
    while ((await reader?.read())?.done !== true);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const inBrowser = ({ browser }: TestUser): Record<string, string> => ({
  cookie: browser.cookies(),
  'sec-fetch-site': 'same-origin',
  'x-team': teamId,
});
const json = async (response: Promise<Response>): Promise<Record<string, string>> =>
  (await (await response).json()) as Record<string, string>;
const remove = (path: string): Promise<Response> => program.request(path, { method: 'DELETE' });

async function newKey(as = testApiKey): Promise<Record<string, string>> {
  const body = JSON.stringify({ name: 'Watches' });
  return json(flow.asTool(as, '/api-keys', { method: 'POST', body }));
}

it('a stream ends when its API key is deleted', async () => {
  const { id, token = '' } = await newKey();
  expect(await endsAfter(bearer(token), () => remove(`/api-keys/${id}`))).toBe(true);
});

it('a stream ends when its user signs out', async () => {
  const user = await addMember(program, teamId, 'viewer');
  const signOut = () => user.browser.request('/auth/sign-out', { body: {} });
  expect(await endsAfter(inBrowser(user), signOut)).toBe(true);
});

it('a stream ends when its user is removed from the team', async () => {
  const user = await addMember(program, teamId, 'developer');
  expect(await endsAfter(inBrowser(user), () => remove(`/team/members/${user.id}`))).toBe(true);
});

it('a stream of a tool, and one of a key that it made, end when the grant is revoked', async () => {
  for (const isOfKey of [false, true]) {
    const { access_token: token } = await flow.login();
    const used = isOfKey ? ((await newKey(token)).token ?? '') : token;
    const form = { client_id: '7136aa0b-625c-4c9c-8820-e9784c8eb141', token };
    expect(await endsAfter(bearer(used), () => flow.form('/oauth/revoke', form))).toBe(true);
  }
});

it('a stream of somebody who may still have it goes on', async () => {
  const stays = () => program.request('/domains');
  expect(await endsAfter(inBrowser(owner), stays, 1_500)).toBe(false);
});
