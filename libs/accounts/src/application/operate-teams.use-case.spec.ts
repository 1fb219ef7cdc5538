import { beforeEach, expect, it } from '@jest/globals';
import { newId, NotFoundError } from '#kernel';
import { InMemoryAccounts } from '../../../../test/support/fakes/in-memory-accounts.js';
import { OperateTeams } from './operate-teams.use-case.js';

let accounts: InMemoryAccounts;
let teams: OperateTeams;

beforeEach(() => {
  accounts = new InMemoryAccounts();
  const { unitOfWork, manageTeams, identity, memberships, users, limits, clock } = accounts;
  teams = new OperateTeams(unitOfWork, manageTeams, identity.teams, memberships, users, limits, clock);
});

it('a team is made with a key, renamed and limited', async () => {
  const { team, token } = await teams.create('Shop');
  expect(token).toMatch(/^re_/);
  await teams.change(team.id, { name: 'Web shop', dailyQuota: 5 });
  await teams.change(team.id, { requestsPerSecond: 2 });
  await teams.change(team.id, { dailyQuota: null });
  const limits = { requestsPerSecond: 2, dailyQuota: null, monthlyQuota: null };
  expect(await teams.find(team.id)).toMatchObject({ team: { name: 'Web shop' }, limits });
  expect((await teams.list({ limit: 10 })).items).toMatchObject([{ limits }]);
  await expect(teams.change(newId(), { dailyQuota: 1 })).rejects.toThrow(NotFoundError);
});

it('a user is put into a team, and an unknown or unverified one is not', async () => {
  const { team } = await teams.create('Shop');
  const { id } = accounts.users.add('ada@people.test');
  expect(await teams.putMember(team.id, 'Ada@people.test', 'owner')).toBe(id);
  expect(await accounts.memberships.roleOf(id, team.id)).toBe('owner');
  accounts.users.add('eve@people.test', false);
  for (const email of ['eve@people.test', 'nobody@people.test']) {
    await expect(teams.putMember(team.id, email, 'owner')).rejects.toThrow(NotFoundError);
  }
});
