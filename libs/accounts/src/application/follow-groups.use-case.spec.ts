import { beforeEach, expect, it } from '@jest/globals';
import { AuditTrail } from '#audit';
import type { TeamRole } from '#identity';
import { newId } from '#kernel';
import { InMemoryAccounts } from '../../../../test/support/fakes/in-memory-accounts.js';
import { FollowGroups } from './follow-groups.use-case.js';

let accounts: InMemoryAccounts;
let groups: FollowGroups;
let teamId: string;
let userId: string;
let entries: { readonly action: string; readonly before?: unknown; readonly after?: unknown }[];

beforeEach(async () => {
  accounts = new InMemoryAccounts();
  entries = [];
  const { unitOfWork, memberships, identity, clock } = accounts;
  const trail = new AuditTrail({
    begin: async ({ action }: { action: string }) => void entries.push({ action }),
    finish: async (_id: string, outcome: object) => void entries.push({ ...entries.pop(), ...outcome } as never),
    withdraw: async () => void entries.pop(),
  } as never);
  groups = new FollowGroups(unitOfWork, memberships, identity.teams, trail, clock);
  teamId = await accounts.team();
  userId = accounts.users.add('ada@people.test').id;
});

const follow = (role?: TeamRole, provider = 'keycloak') =>
  groups.follow({ userId, provider, roles: new Map(role === undefined ? [] : [[teamId, role]]), address: '192.0.2.1' });
const role = () => accounts.memberships.roleOf(userId, teamId);

it('a membership comes, changes and goes with the groups, and each change is in the audit log', async () => {
  await follow('viewer');
  expect(await role()).toBe('viewer');
  await follow('admin');
  expect(await role()).toBe('admin');
  await follow('admin');
  await follow();
  expect(await role()).toBeUndefined();
  expect(entries).toMatchObject([
    { action: 'team.members.follow_groups', after: { role: 'viewer', provider: 'keycloak' } },
    { before: { role: 'viewer' }, after: { role: 'admin' } },
    { before: { role: 'admin' }, after: { role: null } },
  ]);
});

it('what people or another provider gave stays as it is', async () => {
  await accounts.unitOfWork.run((transaction) =>
    accounts.memberships.put(teamId, userId, 'developer', accounts.clock.now(), transaction),
  );
  await follow('admin');
  await follow();
  expect(await role()).toBe('developer');
  userId = accounts.users.add('grace@people.test').id;
  await follow('viewer', 'entra');
  await follow('admin');
  await follow();
  expect(await role()).toBe('viewer');
  expect(entries).toHaveLength(1);
});

it('the last owner is neither lowered nor removed', async () => {
  await follow('owner');
  await follow('viewer');
  await follow();
  expect(await role()).toBe('owner');
  await accounts.member(teamId, 'owner');
  await follow('viewer');
  expect(await role()).toBe('viewer');
});

it('a team that does not exist is left out', async () => {
  const roles = new Map<string, TeamRole>([[newId(), 'admin']]);
  await groups.follow({ userId, provider: 'keycloak', roles, address: '192.0.2.1' });
  expect(entries).toEqual([]);
});
