import { beforeEach, expect, it } from '@jest/globals';
import { ValidationError } from '#kernel';
import { InMemoryAccounts } from '../../../../test/support/fakes/in-memory-accounts.js';
import { InvalidInvitationError, OtherAddressError } from '../domain/invitation.js';
import { maxMembers, TooManyMembersError } from '../domain/team-rules.js';
import { AcceptInvitation } from './accept-invitation.use-case.js';
import { TeamInvitations } from './team-invitations.use-case.js';
import { AccountExistsError } from './new-users.js';

const person = { name: 'Ada', password: 'correct horse' };
let accounts: InMemoryAccounts;
let accept: AcceptInvitation;
let teamId: string;

beforeEach(async () => {
  accounts = new InMemoryAccounts();
  const { unitOfWork, memberships, identity, manageTeams, newUsers, clock } = accounts;
  const all = accounts.invitations;
  accept = new AcceptInvitation(unitOfWork, all, memberships, identity.teams, manageTeams, newUsers, clock);
  teamId = await accounts.team('Shop');
});

async function invited(email: string): Promise<string> {
  const { unitOfWork, memberships, identity, manageTeams, invitationMail, clock } = accounts;
  const all = accounts.invitations;
  const invite = new TeamInvitations(
    unitOfWork,
    all,
    memberships,
    identity.teams,
    manageTeams,
    invitationMail,
    accounts.invitationLimits,
    clock,
  );
  const { principal } = await accounts.member(teamId, 'owner');
  await invite.invite(principal, { email, role: 'developer' });
  return accounts.lastToken();
}

it('a new person joins with an account of the invited address, once', async () => {
  const token = await invited('ada@people.test');
  expect(await accept.show(token)).toEqual({
    teamName: 'Shop',
    email: 'ada@people.test',
    role: 'developer',
    hasAccount: false,
  });
  expect(await accept.asNewUser(token, person)).toBe(teamId);
  const user = await accounts.users.findByEmail('ada@people.test');
  expect(await accounts.memberships.roleOf(user?.id ?? '', teamId)).toBe('developer');
  await expect(accept.asNewUser(token, person)).rejects.toThrow(InvalidInvitationError);
});

it('an account with the address accepts by itself, and no other', async () => {
  const token = await invited('ada@people.test');
  const ada = accounts.users.add('ada@people.test');
  await expect(accept.asNewUser(token, person)).rejects.toThrow(AccountExistsError);
  await expect(accept.asUser(token, accounts.users.add('eve@people.test'))).rejects.toThrow(OtherAddressError);
  expect(await accept.asUser(token, ada)).toBe(teamId);
});

it('of two requests at once with one link, the later one is told that there is an account', async () => {
  const token = await invited('ada@people.test');
  accounts.signIn.createUser = async ({ email }) => {
    accounts.users.add(email);
    throw new Error('duplicate key value violates unique constraint');
  };
  await expect(accept.asNewUser(token, person)).rejects.toThrow(AccountExistsError);
});

it('an account that never verified the address gives way', async () => {
  const token = await invited('ada@people.test');
  const squatter = accounts.users.add('ada@people.test', false);
  await accept.asNewUser(token, person);
  expect(await accounts.users.find(squatter.id)).toBeUndefined();
});

it('an expired or unknown link, a bad name and a short password are refused', async () => {
  const token = await invited('ada@people.test');
  await expect(accept.asNewUser(token, { ...person, password: 'short' })).rejects.toThrow(ValidationError);
  await expect(accept.asNewUser(token, { ...person, name: ' ' })).rejects.toThrow(ValidationError);
  await expect(accept.show('unknown')).rejects.toThrow(InvalidInvitationError);
  accounts.clock.advance(8 * 86_400_000);
  await expect(accept.show(token)).rejects.toThrow(InvalidInvitationError);
});

it('nobody joins a team that has become full since the invitation', async () => {
  const token = await invited('ada@people.test');
  accounts.memberships.count = async () => maxMembers;
  await expect(accept.asNewUser(token, person)).rejects.toThrow(TooManyMembersError);
});
