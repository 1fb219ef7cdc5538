import type { TeamRole } from '#identity';
import { Principal } from '#identity';
import { newId, Page, PageRequest, pageOf } from '#kernel';
import { InMemoryUnitOfWork } from './in-memory-unit-of-work.js';
import { TeamLimits, TeamLimitSettings } from '#rate-limit';
import { InvitationLimits } from '../../../libs/accounts/src/application/invitation-limits.js';
import { InvitationMail } from '../../../libs/accounts/src/application/invitation-mail.js';
import { NewUsers } from '../../../libs/accounts/src/application/new-users.js';
import { AccountMail } from '../../../libs/accounts/src/application/account-mail.js';
import { Invitations, Member, Memberships } from '../../../libs/accounts/src/application/ports/memberships.port.js';
import { OwnerLinks, OwnOrigin, Sessions, SignIn } from '../../../libs/accounts/src/application/ports/sign-in.port.js';
import { ListedUser, Users } from '../../../libs/accounts/src/application/ports/users.port.js';
import { Invitation } from '../../../libs/accounts/src/domain/invitation.js';
import { Membership } from '../../../libs/accounts/src/domain/user.js';
import { Teams } from '../../../libs/identity/src/application/teams.use-case.js';
import { InMemoryIdentity } from './in-memory-identity.js';
import { InMemoryAttemptCounts } from './in-memory-attempt-counts.js';

/** Users, members, invitations and mail in memory, for the unit tests of accounts. */
export class InMemoryAccounts {
  readonly identity = new InMemoryIdentity();
  readonly unitOfWork = new InMemoryUnitOfWork();
  readonly clock = this.identity.clock;
  readonly users = new InMemoryUsers();
  readonly signIn = new InMemorySignIn(this.users);
  readonly memberships = new InMemoryMemberships(this.users);
  readonly invitations = new InMemoryInvitations();
  readonly sessions = new RecordedSessions();
  readonly limits = new InMemoryTeamLimits();
  readonly newUsers = new NewUsers(this.users, this.signIn);
  readonly ownerLinks = new FixedOwnerLinks();
  readonly sent: { readonly to: string; readonly link: string }[] = [];
  readonly attempts = new InMemoryAttemptCounts();
  readonly invitationLimits = new InvitationLimits(this.attempts, this.clock);
  readonly invitationMail = new InvitationMail(
    {
      invited: async (to: string, _team: object, _by: string, link: string) => void this.sent.push({ to, link }),
    } as AccountMail,
    { value: 'https://mail.test' } as OwnOrigin,
    this.users,
  );
  readonly manageTeams = new Teams(
    this.identity.unitOfWork,
    this.identity.teams,
    this.identity.apiKeys,
    this.identity.clock,
  );

  async team(name = 'Team'): Promise<string> {
    return (await this.manageTeams.create(name)).team.id;
  }

  async member(teamId: string, role: TeamRole): Promise<{ readonly id: string; readonly principal: Principal }> {
    const id = this.users.add(`${newId()}@people.test`).id;
    await this.unitOfWork.run((transaction) => this.memberships.put(teamId, id, role, this.clock.now(), transaction));
    return { id, principal: Principal.ofUser({ id, teamId, role }) };
  }

  lastToken(): string {
    return new URL(this.sent.at(-1)?.link ?? '').hash.slice(1);
  }
}

class InMemoryUsers extends Users {
  private readonly byId = new Map<string, ListedUser>();
  private readonly operators = new Set<string>();

  add(email: string, isVerified = true): ListedUser {
    const user = { id: newId(), email, name: 'Name', isVerified, isOperator: false, createdAt: new Date() };
    this.byId.set(user.id, user);
    return user;
  }

  async findByEmail(email: string): Promise<ListedUser | undefined> {
    return [...this.byId.values()].find((user) => user.email === email);
  }

  async find(id: string): Promise<ListedUser | undefined> {
    const user = this.byId.get(id);
    return user && { ...user, isOperator: this.operators.has(id) };
  }

  async list(page: PageRequest): Promise<Page<ListedUser>> {
    return pageOf(page, [...this.byId.values()]);
  }

  async removeUnverified(email: string): Promise<void> {
    for (const user of this.byId.values()) if (user.email === email && !user.isVerified) this.byId.delete(user.id);
  }

  async anyOperator(): Promise<boolean> {
    return this.operators.size > 0;
  }

  async addOperator(id: string): Promise<void> {
    this.operators.add(id);
  }

  async removeOperator(id: string): Promise<boolean> {
    return this.operators.size > 1 && this.operators.delete(id);
  }

  async remove(id: string): Promise<void> {
    this.byId.delete(id);
  }
}

class InMemorySignIn extends SignIn {
  readonly passwords = new Map<string, string>();

  constructor(private readonly users: InMemoryUsers) {
    super();
  }

  async handle(): Promise<Response> {
    return new Response();
  }

  async createUser({ email, password }: { email: string; password: string }): Promise<string> {
    const { id } = this.users.add(email);
    this.passwords.set(id, password);
    return id;
  }

  async setPassword(userId: string, password: string): Promise<void> {
    this.passwords.set(userId, password);
  }

  async isPassword(userId: string, password: string): Promise<boolean> {
    return this.passwords.get(userId) === password;
  }
}

interface InMemoryMember {
  readonly teamId: string;
  readonly userId: string;
  readonly role: TeamRole;
  readonly createdAt: Date;
  readonly provider: string | undefined;
}

class InMemoryMemberships extends Memberships {
  private readonly roles = new Map<string, InMemoryMember>();

  constructor(private readonly users: InMemoryUsers) {
    super();
  }

  async roleOf(userId: string, teamId: string): Promise<TeamRole | undefined> {
    return this.roles.get(`${teamId} ${userId}`)?.role;
  }

  async teamsOf(userId: string): Promise<readonly Membership[]> {
    const own = [...this.roles.values()].filter((member) => member.userId === userId);
    return own.map(({ teamId, role }) => ({ teamId, teamName: 'Team', role }));
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Member>> {
    const own = [...this.roles.values()].filter((member) => member.teamId === teamId);
    const ids = own.map(({ userId }) => userId).filter((id) => page.after === undefined || id < page.after);
    const found = await Promise.all(
      ids
        .sort()
        .reverse()
        .map((userId) => this.find(teamId, userId)),
    );
    return pageOf(page, found as Member[]);
  }

  async find(teamId: string, userId: string): Promise<Member | undefined> {
    const member = this.roles.get(`${teamId} ${userId}`);
    const user = await this.users.find(userId);
    if (member === undefined || user === undefined) return undefined;
    const { role, createdAt, provider = null } = member;
    return { id: userId, email: user.email, name: user.name, role, provider, createdAt };
  }

  async hasAddress(teamId: string, email: string): Promise<boolean> {
    const user = await this.users.findByEmail(email);
    return user !== undefined && this.roles.has(`${teamId} ${user.id}`);
  }

  async count(teamId: string, role: TeamRole | undefined): Promise<number> {
    return [...this.roles.values()].filter((m) => m.teamId === teamId && (role === undefined || m.role === role))
      .length;
  }

  async put(
    teamId: string,
    userId: string,
    role: TeamRole,
    createdAt: Date,
    _transaction: unknown,
    provider?: string,
  ): Promise<void> {
    const known = this.roles.get(`${teamId} ${userId}`) ?? { teamId, userId, createdAt, provider };
    this.roles.set(`${teamId} ${userId}`, { ...known, role });
  }

  async givenBy(provider: string, userId: string): Promise<ReadonlyMap<string, TeamRole>> {
    const given = [...this.roles.values()].filter((one) => one.userId === userId && one.provider === provider);
    return new Map(given.map(({ teamId, role }) => [teamId, role]));
  }

  async endTools(): Promise<void> {
    throw new Error('Tools are in no unit test');
  }

  async remove(teamId: string, userId: string): Promise<void> {
    this.roles.delete(`${teamId} ${userId}`);
  }
}

class InMemoryInvitations extends Invitations {
  private rows: Invitation[] = [];

  async put(invitation: Invitation): Promise<void> {
    this.rows = this.rows.filter(({ teamId, email }) => teamId !== invitation.teamId || email !== invitation.email);
    this.rows.push(invitation);
  }

  async count(teamId: string): Promise<number> {
    return this.rows.filter((row) => row.teamId === teamId).length;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Invitation>> {
    return pageOf(
      page,
      this.rows.filter((row) => row.teamId === teamId),
    );
  }

  async findByTokenHash(tokenHash: Buffer, now: Date): Promise<Invitation | undefined> {
    return this.rows.find((row) => row.tokenHash.equals(tokenHash) && row.expiresAt > now);
  }

  async isInvited(email: string, now: Date): Promise<boolean> {
    return this.rows.some((row) => row.email === email && row.expiresAt > now);
  }

  async remove(teamId: string, id: string): Promise<boolean> {
    const before = this.rows.length;
    this.rows = this.rows.filter((row) => row.teamId !== teamId || row.id !== id);
    return this.rows.length < before;
  }
}

class RecordedSessions extends Sessions {
  readonly confirmed: string[] = [];

  async userOf(): Promise<undefined> {}

  async list(): Promise<readonly never[]> {
    return [];
  }

  async revoke(): Promise<boolean> {
    return false;
  }

  async revokeOthers(): Promise<number> {
    return 0;
  }

  async endOfSubject(): Promise<undefined> {}

  async confirm(sessionId: string): Promise<void> {
    this.confirmed.push(sessionId);
  }
}

class InMemoryTeamLimits extends TeamLimits {
  readonly hasQuotas = false;
  private readonly own = new Map<string, TeamLimitSettings>();

  of(teamId: string): TeamLimitSettings {
    return this.own.get(teamId) ?? { requestsPerSecond: null, dailyQuota: null, monthlyQuota: null };
  }

  async read(teamId: string): Promise<TeamLimitSettings> {
    return this.of(teamId);
  }

  async readAll(teamIds: readonly string[]): Promise<ReadonlyMap<string, TeamLimitSettings>> {
    return new Map(teamIds.map((id) => [id, this.of(id)]));
  }

  async change(teamId: string, changes: Partial<TeamLimitSettings>): Promise<void> {
    this.own.set(teamId, { ...this.of(teamId), ...changes });
  }
}

class FixedOwnerLinks extends OwnerLinks {
  token(): string {
    return 'the link';
  }

  accepts(token: string): boolean {
    return token === 'the link';
  }
}
