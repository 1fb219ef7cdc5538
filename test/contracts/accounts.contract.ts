import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId, UnitOfWork } from '#kernel';
import { AttemptCounts } from '../../libs/accounts/src/application/ports/attempt-counts.port.js';
import { Invitations, Memberships } from '../../libs/accounts/src/application/ports/memberships.port.js';
import { Invitation } from '../../libs/accounts/src/domain/invitation.js';

export interface AccountsRig {
  readonly unitOfWork: UnitOfWork;
  readonly memberships: Memberships;
  readonly invitations: Invitations;
  readonly counts: AttemptCounts;
  readonly aTeam: () => Promise<string>;
  /** Makes a user with this address, and returns its id. */
  readonly aUser: (email: string) => Promise<string>;
}

const dayMs = 86_400_000;
const now = new Date('2026-11-22T10:00:00Z');

/** What every store of members, invitations and attempts must do. */
export function describeAccounts(name: string, rig: () => Promise<AccountsRig>): void {
  let made: AccountsRig;
  let teamId: string;

  const address = (): string => `${newId()}@people.test`;
  const join = (userId: string, role: 'owner' | 'admin' | 'developer' | 'viewer', team = teamId): Promise<void> =>
    made.unitOfWork.run((transaction) => made.memberships.put(team, userId, role, now, transaction));

  beforeEach(async () => {
    made = await rig();
    teamId = await made.aTeam();
  });

  describe(`the members of teams in ${name}`, () => {
    it('have one role in each team, which can be changed', async () => {
      const email = address();
      const userId = await made.aUser(email);
      const other = await made.aTeam();
      await join(userId, 'viewer');
      await join(userId, 'admin');
      await join(userId, 'owner', other);
      expect(await made.memberships.roleOf(userId, teamId)).toBe('admin');
      expect(await made.memberships.roleOf(userId, other)).toBe('owner');
      expect(await made.memberships.roleOf(newId(), teamId)).toBeUndefined();
      const teams = await made.memberships.teamsOf(userId);
      expect(new Map(teams.map((team) => [team.teamId, team.role]))).toEqual(
        new Map([
          [teamId, 'admin'],
          [other, 'owner'],
        ]),
      );
      expect(await made.memberships.hasAddress(teamId, email)).toBe(true);
      expect(await made.memberships.hasAddress(teamId, address())).toBe(false);
    });

    it('are listed in pages and counted by role, those of other teams left out', async () => {
      const users = await Promise.all([1, 2, 3].map(() => made.aUser(address())));
      for (const [index, user] of users.entries()) await join(user, index === 0 ? 'owner' : 'viewer');
      await join(await made.aUser(address()), 'viewer', await made.aTeam());
      const first = await made.memberships.list(teamId, { limit: 2 });
      const second = await made.memberships.list(teamId, { limit: 2, after: first.items.at(-1)?.id ?? '' });
      expect([first.hasMore, second.hasMore]).toEqual([true, false]);
      const listed = [...first.items, ...second.items].map(({ id }) => id);
      expect(listed).toEqual([...users].sort().reverse());
      await made.unitOfWork.run(async (transaction) => {
        expect(await made.memberships.count(teamId, 'viewer', transaction)).toBe(2);
        expect(await made.memberships.count(teamId, undefined, transaction)).toBe(3);
        await made.memberships.remove(teamId, users[1] as string, transaction);
      });
      expect(await made.memberships.find(teamId, users[1] as string)).toBeUndefined();
      expect((await made.memberships.find(teamId, users[0] as string))?.role).toBe('owner');
    });
  });

  describe(`invitations in ${name}`, () => {
    const anInvitation = (email: string, fields: Partial<Invitation> = {}): Invitation => ({
      id: newId(),
      teamId,
      email,
      role: 'developer',
      grantId: null,
      tokenHash: Buffer.from(newId()),
      createdAt: now,
      expiresAt: new Date(now.getTime() + dayMs),
      ...fields,
    });
    const put = (invitation: Invitation): Promise<void> =>
      made.unitOfWork.run((transaction) => made.invitations.put(invitation, transaction));

    it('are found by the hash of their token until they expire', async () => {
      const invitation = anInvitation(address());
      await put(invitation);
      expect(await made.invitations.findByTokenHash(invitation.tokenHash, now)).toMatchObject({ id: invitation.id });
      expect(await made.invitations.findByTokenHash(invitation.tokenHash, invitation.expiresAt)).toBeUndefined();
      expect(await made.invitations.findByTokenHash(Buffer.from('another'), now)).toBeUndefined();
      expect(await made.invitations.isInvited(invitation.email, now)).toBe(true);
      expect(await made.invitations.isInvited(invitation.email, invitation.expiresAt)).toBe(false);
    });

    it('a second one to the same address replaces the first', async () => {
      const email = address();
      const [first, second] = [anInvitation(email), anInvitation(email, { role: 'viewer' })];
      await put(first);
      await put(second);
      expect(await made.invitations.findByTokenHash(first.tokenHash, now)).toBeUndefined();
      expect((await made.invitations.list(teamId, { limit: 10 })).items).toMatchObject([
        { id: second.id, role: 'viewer' },
      ]);
      expect(await made.unitOfWork.run((transaction) => made.invitations.count(teamId, transaction))).toBe(1);
    });

    it('are removed once, and only by their own team', async () => {
      const invitation = anInvitation(address());
      await put(invitation);
      expect(await made.invitations.remove(await made.aTeam(), invitation.id)).toBe(false);
      expect(await made.invitations.remove(teamId, invitation.id)).toBe(true);
      expect(await made.invitations.remove(teamId, invitation.id)).toBe(false);
    });
  });

  describe(`attempts in ${name}`, () => {
    const window = { max: 3, ms: 60_000 };
    const later = new Date(now.getTime() + window.ms);

    it('are counted together, by kind and key, until the window is over', async () => {
      const attempt = { kind: 'guess-account', key: newId() } as const;
      const counted = await Promise.all(Array.from({ length: 8 }, () => made.counts.add(attempt, window, now)));
      expect(counted.map(({ count }) => count).sort()).toEqual([1, 2, 3, 4, 4, 4, 4, 4]);
      const another = { count: 1, endsAt: new Date(now.getTime() + window.ms) };
      expect(await made.counts.add({ ...attempt, kind: 'mail-account' }, window, now)).toEqual(another);
      expect(await made.counts.add({ ...attempt, key: newId() }, window, now)).toEqual(another);
      expect((await made.counts.add(attempt, window, new Date(later.getTime() - 1))).endsAt).toEqual(another.endsAt);
      expect(await made.counts.add(attempt, window, later)).toMatchObject({ count: 1 });
    });

    it('can be taken back, and never below nothing', async () => {
      const attempt = { kind: 'guess-address', key: newId() } as const;
      await made.counts.giveBack(attempt);
      await made.counts.add(attempt, window, now);
      await made.counts.giveBack(attempt);
      await made.counts.giveBack(attempt);
      expect(await made.counts.add(attempt, window, now)).toMatchObject({ count: 1 });
    });
  });
}
