import type { TeamRole } from '#identity';
import { Page, PageRequest, Transaction } from '#kernel';
import { Invitation } from '../../domain/invitation.js';
import { Membership } from '../../domain/user.js';

/** A user as a member of one team. Its id is that of the user. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: TeamRole;
  /** Id of the sign-in provider whose groups gave the membership. Null: a person did. */
  readonly provider: string | null;
  readonly createdAt: Date;
}

/** Which users belong to which teams. The methods with a transaction are called with the row of the team locked. */
export abstract class Memberships {
  /** Called on every request of the dashboard: one indexed read. Returns undefined if the user is not in the team. */
  abstract roleOf(userId: string, teamId: string): Promise<TeamRole | undefined>;

  /** By name, at most 1000. */
  abstract teamsOf(userId: string): Promise<readonly Membership[]>;

  /** By id, descending. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Member>>;

  abstract find(teamId: string, userId: string, transaction?: Transaction): Promise<Member | undefined>;

  abstract hasAddress(teamId: string, email: string): Promise<boolean>;

  abstract count(teamId: string, role: TeamRole | undefined, transaction: Transaction): Promise<number>;

  /**
   * Adds a member, or gives a member another role. `provider`: whose groups add the member; a member who is there keeps
   * what it was added by.
   */
  abstract put(
    teamId: string,
    userId: string,
    role: TeamRole,
    at: Date,
    transaction: Transaction,
    provider?: string,
  ): Promise<void>;

  /** The roles of a user that the groups of a provider gave, by id of the team. */
  abstract givenBy(provider: string, userId: string): Promise<ReadonlyMap<string, TeamRole>>;

  /** Ends what the user has allowed to tools so far, in all teams. */
  abstract endTools(userId: string): Promise<void>;

  abstract remove(teamId: string, userId: string, transaction: Transaction): Promise<void>;
}

/** Invitations that were not accepted yet. Those of a tool whose grant has ended are not found, but still counted. */
export abstract class Invitations {
  /** Replaces an earlier invitation of the address to the team: its link stops working. */
  abstract put(invitation: Invitation, transaction: Transaction): Promise<void>;

  abstract count(teamId: string, transaction: Transaction): Promise<number>;

  /** Newest first, expired ones included until they are purged. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Invitation>>;

  abstract findByTokenHash(tokenHash: Buffer, now: Date): Promise<Invitation | undefined>;

  /** Whether a team waits for somebody with this address. */
  abstract isInvited(email: string, now: Date): Promise<boolean>;

  /** Removes an invitation. Returns whether it was still there. */
  abstract remove(teamId: string, id: string, transaction?: Transaction): Promise<boolean>;
}
