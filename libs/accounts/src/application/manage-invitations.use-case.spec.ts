import { beforeEach, expect, it } from '@jest/globals';
import { newId, NotFoundError, ValidationError } from '#kernel';
import { InMemoryAccounts } from '../../../../test/support/in-memory-accounts.js';
import { AlreadyMemberError } from '../domain/invitation.js';
import { maxOpenInvitations, RoleTooHighError, TooManyMembersError } from '../domain/team-rules.js';
import { ManageInvitations } from './manage-invitations.use-case.js';

let accounts: InMemoryAccounts;
let invitations: ManageInvitations;
let teamId: string;

beforeEach(async () => {
  accounts = new InMemoryAccounts();
  const { unitOfWork, memberships, identity, manageTeams, invitationMail, clock } = accounts;
  const all = accounts.invitations;
  invitations = new ManageInvitations(unitOfWork, all, memberships, identity.teams, manageTeams, invitationMail, clock);
  teamId = await accounts.team();
});

it('an invitation is mailed, and only the mail has its token', async () => {
  const { principal } = await accounts.member(teamId, 'admin');
  const invitation = await invitations.invite(principal, { email: 'New@People.test', role: 'viewer' });
  expect(invitation).toMatchObject({ email: 'new@people.test', role: 'viewer' });
  expect(accounts.sent).toHaveLength(1);
  expect(accounts.tokens.hash(accounts.lastToken()).equals(invitation.tokenHash)).toBe(true);
});

it('a second invitation of an address replaces the first', async () => {
  const { principal } = await accounts.member(teamId, 'owner');
  await invitations.invite(principal, { email: 'a@people.test', role: 'viewer' });
  await invitations.invite(principal, { email: 'a@people.test', role: 'owner' });
  expect((await invitations.list(teamId, { limit: 10 })).items).toMatchObject([{ role: 'owner' }]);
});

it('refuses roles above that of the inviter, members, and what is no address', async () => {
  const { principal, id } = await accounts.member(teamId, 'admin');
  const invite = (email: string, role: 'owner' | 'viewer' = 'viewer') => invitations.invite(principal, { email, role });
  await expect(invite('a@people.test', 'owner')).rejects.toThrow(RoleTooHighError);
  await expect(invite((await accounts.users.find(id))?.email ?? '')).rejects.toThrow(AlreadyMemberError);
  await expect(invite('nobody')).rejects.toThrow(ValidationError);
  expect(accounts.sent).toEqual([]);
});

it('a team has a bounded number of open invitations', async () => {
  const { principal } = await accounts.member(teamId, 'admin');
  accounts.invitations.count = async () => maxOpenInvitations;
  const invited = invitations.invite(principal, { email: 'a@people.test', role: 'viewer' });
  await expect(invited).rejects.toThrow(TooManyMembersError);
});

it('an invitation is revoked by its own team only', async () => {
  const { principal } = await accounts.member(teamId, 'admin');
  const { id } = await invitations.invite(principal, { email: 'a@people.test', role: 'viewer' });
  await expect(invitations.revoke(newId(), id)).rejects.toThrow(NotFoundError);
  await invitations.revoke(teamId, id);
  await expect(invitations.revoke(teamId, id)).rejects.toThrow(NotFoundError);
});
