import { beforeEach, expect, it } from '@jest/globals';
import type { Principal } from '#identity';
import { newId, NotFoundError, ValidationError } from '#kernel';
import { InMemoryAccounts } from '../../../../test/support/fakes/in-memory-accounts.js';
import { AlreadyMemberError } from '../domain/invitation.js';
import {
  maxOpenInvitations,
  RoleTooHighError,
  TooManyInvitationsError,
  TooManyMembersError,
} from '../domain/team-rules.js';
import { hashLinkToken } from './invitation-mail.js';
import { TeamInvitations } from './team-invitations.use-case.js';

let accounts: InMemoryAccounts;
let invitations: TeamInvitations;
let teamId: string;

beforeEach(async () => {
  accounts = new InMemoryAccounts();
  const { unitOfWork, memberships, identity, manageTeams, invitationMail, invitationLimits, clock } = accounts;
  const all = accounts.invitations;
  const rows = [unitOfWork, all, memberships, identity.teams, manageTeams] as const;
  invitations = new TeamInvitations(...rows, invitationMail, invitationLimits, clock);
  teamId = await accounts.team();
});

it('an invitation is mailed, and only the mail has its token', async () => {
  const { principal } = await accounts.member(teamId, 'admin');
  const invitation = await invitations.invite(principal, { email: 'New@People.test', role: 'viewer' });
  expect(invitation).toMatchObject({ email: 'new@people.test', role: 'viewer' });
  expect(accounts.sent).toHaveLength(1);
  expect(hashLinkToken(accounts.lastToken()).equals(invitation.tokenHash)).toBe(true);
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

it('invitations are limited by inviter, by team and by invited address', async () => {
  const admins = await Promise.all([1, 2, 3].map(() => accounts.member(teamId, 'admin')));
  const invite = (by: number, email: string) =>
    invitations.invite((admins[by] as { principal: Principal }).principal, { email, role: 'viewer' });
  for (let at = 0; at < 5; at++) await invite(0, 'stranger@people.test');
  await expect(invite(0, 'STRANGER@people.test')).rejects.toMatchObject({ retryAfterSeconds: 24 * 3_600 });
  accounts.clock.advance(600_000);
  for (let at = 6; at < 50; at++) await invite(0, `a${at}@people.test`);
  await expect(invite(0, 'more@people.test')).rejects.toMatchObject({ retryAfterSeconds: 3_000 });
  for (let at = 0; at < 50; at++) await invite(1, `b${at}@people.test`);
  await expect(invite(2, 'more@people.test')).rejects.toThrow(TooManyInvitationsError);
  expect(accounts.sent).toHaveLength(99);
  accounts.clock.advance(60 * 60_000);
  await invite(2, 'more@people.test');
});

it('a team invites an address once, however often others have invited it, and all of them together seldom more', async () => {
  const email = 'stranger@people.test';
  const others = await Promise.all([1, 2, 3, 4, 5].map(async () => accounts.member(await accounts.team(), 'admin')));
  const invite = ({ principal }: (typeof others)[number]) => invitations.invite(principal, { email, role: 'viewer' });
  for (const other of others.slice(0, 4)) for (let at = 0; at < 5; at++) await invite(other);
  const last = others[4] as (typeof others)[number];
  await invite(last);
  await expect(invite(last)).rejects.toThrow(TooManyInvitationsError);
  expect(accounts.sent).toHaveLength(21);
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
