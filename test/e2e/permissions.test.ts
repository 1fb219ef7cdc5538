import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TeamRole } from '#identity';
import { Browser } from '../support/clients/browser.js';
import { DescribedDocument, DescribedOperation, operationsOf } from '../support/described/described-operations.js';
import { operationsByPermission } from '../support/described/permissions-of-operations.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { addMember, addUser, firstTeam } from '../support/builders/users.js';

/** Everybody tries every operation of the API's description, with ids that do not exist. */

let program: TestProgram;
let operations: readonly DescribedOperation[];
let teamId: string;
const neededBy = new Map<string, string>();

beforeAll(async () => {
  program = await startProgram();
  teamId = await firstTeam(program);
  operations = operationsOf((await (await fetch(`${program.url}/openapi.json`)).json()) as DescribedDocument);
  for (const [permission, ids] of Object.entries(operationsByPermission)) {
    for (const id of ids) neededBy.set(id, permission);
  }
});

afterAll(() => program.stop());

/** What a role may do, written out: the code must not decide what the test expects. */
const ofOperators = ['installation:read', 'installation:write'];
const ofAdmins = ['api-keys:write', 'audit:read', 'privacy:erase', 'privacy:export', 'team:write'];
const lacking: Readonly<Record<TeamRole, (permission: string) => boolean>> = {
  owner: (permission) => ofOperators.includes(permission),
  admin: (permission) => ofOperators.includes(permission),
  developer: (permission) => [...ofOperators, ...ofAdmins].includes(permission),
  viewer: (permission) => !permission.endsWith(':read') || ['audit:read', 'installation:read'].includes(permission),
};
/** Its response does not end: `test/e2e/live.test.ts`. */
const endless = 'streamLiveUpdates';

const uuid = '0193a1f4-0000-7000-8000-000000000000';

async function attempt(browser: Browser, operation: DescribedOperation): Promise<{ status: number; name: string }> {
  const values = Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => [name, name === 'eventId' ? `msg_${uuid.replaceAll('-', '')}` : uuid]),
  );
  const { method } = operation;
  const { status, body } = await browser.json<{ name?: string } | undefined>(operation.pathWith(values), {
    method,
    body: method === 'GET' ? undefined : {},
    headers: { 'x-team': teamId },
  });
  return { status, name: body?.name ?? '' };
}

type Outcome = 'allowed' | 'no permission' | 'no such team' | 'not an operator' | 'not signed in';

function outcomeOf({ status, name }: { status: number; name: string }, isInTeam: boolean): Outcome {
  if (status === 401) return 'not signed in';
  if (status === 404 && !isInTeam) return 'no such team';
  if (status === 403 && name === 'operator_only') return 'not an operator';
  if (status === 403 && name === 'invalid_permission') return 'no permission';
  return 'allowed';
}

function expected(permission: string, role: TeamRole | 'stranger' | 'nobody'): Outcome {
  if (permission === 'everybody') return 'allowed';
  if (role === 'nobody') return 'not signed in';
  if (permission === 'user') return 'allowed';
  if (permission === 'operator') return 'not an operator';
  if (role === 'stranger') return 'no such team';
  return lacking[role](permission) ? 'no permission' : 'allowed';
}

it('it is decided for each operation who may call it', () => {
  expect(operations.map(({ operationId }) => operationId).filter((id) => !neededBy.has(id))).toEqual([]);
  const described = new Set(operations.map(({ operationId }) => operationId));
  expect([...neededBy.keys()].filter((id) => !described.has(id))).toEqual([]);
});

it.each(['owner', 'admin', 'developer', 'viewer', 'stranger', 'nobody'] as const)(
  '%s gets what the table says from each operation',
  async (role) => {
    const isInTeam = role !== 'stranger' && role !== 'nobody';
    const { browser } = isInTeam ? await addMember(program, teamId, role) : await addUser(program);
    const actor = role === 'nobody' ? new Browser(program.url) : browser;
    const wrong: unknown[] = [];
    for (const operation of operations) {
      const permission = neededBy.get(operation.operationId) ?? 'nothing';
      const wanted = expected(permission, role);
      if (operation.operationId === endless && wanted === 'allowed') continue;
      const answer = await attempt(actor, operation);
      // What a link or a body decides is no question of permissions.
      const outcome = outcomeOf(answer, isInTeam || ['user', 'everybody'].includes(permission));
      if (outcome !== wanted) wrong.push([operation.operationId, answer, outcome, wanted]);
      if (outcome === 'allowed' && answer.status >= 500) wrong.push([operation.operationId, answer]);
    }
    expect(wrong).toEqual([]);
  },
);

it('a viewer sees webhooks without the secret of their signatures, a developer with it', async () => {
  const { browser: viewer } = await addMember(program, teamId, 'viewer');
  const { browser: developer } = await addMember(program, teamId, 'developer');
  const headers = { 'x-team': teamId };
  const body = { endpoint: 'https://hooks.test/', events: ['email.sent'] };
  const made = await developer.json<{ id: string; signing_secret: string }>('/webhooks', { body, headers });
  const path = `/webhooks/${made.body.id}`;
  expect((await viewer.json(path, { headers })).body).toMatchObject({ endpoint: body.endpoint, signing_secret: null });
  const { signing_secret } = made.body;
  expect((await developer.json(path, { headers })).body).toMatchObject({ signing_secret });
});
