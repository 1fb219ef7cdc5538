import { beforeEach, expect, it } from '@jest/globals';
import { MissingPermissionError, Principal } from '#identity';
import { newId, NotFoundError } from '#kernel';
import { InMemoryAccounts } from '../../../../test/support/fakes/in-memory-accounts.js';
import { LastOwnerError, OwnerOnlyError, RoleTooHighError } from '../domain/team-rules.js';
import { TeamMembers } from './team-members.use-case.js';

let accounts: InMemoryAccounts;
let members: TeamMembers;
let teamId: string;

beforeEach(async () => {
  accounts = new InMemoryAccounts();
  members = new TeamMembers(accounts.unitOfWork, accounts.memberships, accounts.identity.teams, accounts.clock);
  teamId = await accounts.team();
});

const roleOf = (id: string) => accounts.memberships.roleOf(id, teamId);

it('nobody changes a role above their own, or gives one', async () => {
  const [owner, admin, viewer] = [
    await accounts.member(teamId, 'owner'),
    await accounts.member(teamId, 'admin'),
    await accounts.member(teamId, 'viewer'),
  ];
  await members.changeRole(admin.principal, viewer.id, 'admin');
  expect(await roleOf(viewer.id)).toBe('admin');
  await expect(members.changeRole(admin.principal, viewer.id, 'owner')).rejects.toThrow(RoleTooHighError);
  await expect(members.changeRole(admin.principal, owner.id, 'viewer')).rejects.toThrow(RoleTooHighError);
  await expect(members.remove(admin.principal, owner.id)).rejects.toThrow(RoleTooHighError);
});

it('an API key acts with the role of an admin', async () => {
  const owner = await accounts.member(teamId, 'owner');
  const key = Principal.ofApiKey({ id: newId(), teamId, permission: 'full_access', domainId: null });
  await expect(members.changeRole(key, owner.id, 'viewer')).rejects.toThrow(RoleTooHighError);
  await expect(members.transfer(key, owner.id)).rejects.toThrow(OwnerOnlyError);
});

it('the last owner stays', async () => {
  const owner = await accounts.member(teamId, 'owner');
  await expect(members.remove(owner.principal, owner.id)).rejects.toThrow(LastOwnerError);
  await expect(members.changeRole(owner.principal, owner.id, 'admin')).rejects.toThrow(LastOwnerError);
  const second = await accounts.member(teamId, 'owner');
  await members.remove(owner.principal, owner.id);
  expect(await roleOf(second.id)).toBe('owner');
});

it('everybody may leave, and only administrators remove others', async () => {
  const [viewer, other] = [await accounts.member(teamId, 'viewer'), await accounts.member(teamId, 'viewer')];
  expect(() => members.remove(viewer.principal, other.id)).toThrow(MissingPermissionError);
  await members.remove(viewer.principal, viewer.id);
  expect(await roleOf(viewer.id)).toBeUndefined();
});

it('a team is transferred to a member, and its owner stays as an admin', async () => {
  const [owner, heir] = [await accounts.member(teamId, 'owner'), await accounts.member(teamId, 'viewer')];
  await expect(members.transfer(owner.principal, newId())).rejects.toThrow(NotFoundError);
  await members.transfer(owner.principal, heir.id);
  expect([await roleOf(owner.id), await roleOf(heir.id)]).toEqual(['admin', 'owner']);
});

it('members are listed and found in their team only', async () => {
  const viewer = await accounts.member(teamId, 'viewer');
  expect((await members.list(teamId, { limit: 10 })).items).toMatchObject([{ id: viewer.id, role: 'viewer' }]);
  expect(await members.find(teamId, viewer.id)).toMatchObject({ role: 'viewer' });
  await expect(members.find(await accounts.team(), viewer.id)).rejects.toThrow(NotFoundError);
});
