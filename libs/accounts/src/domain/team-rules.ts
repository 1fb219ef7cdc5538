import type { TeamRole } from '#identity';
import { DomainError } from '#kernel';

const ranks: Readonly<Record<TeamRole, number>> = { owner: 3, admin: 2, developer: 1, viewer: 0 };

export const teamRoles = Object.keys(ranks) as readonly TeamRole[];

export class RoleTooHighError extends DomainError {
  constructor() {
    super('forbidden', 'role_too_high', 'You can only give, change and take away roles up to your own.');
  }
}

export class LastOwnerError extends DomainError {
  constructor() {
    super(
      'conflict',
      'last_owner',
      'A team has at least one owner. Make somebody else the owner first, or transfer the team.',
    );
  }
}

export class OwnerOnlyError extends DomainError {
  constructor() {
    super('forbidden', 'owner_only', 'Only an owner of the team may do this.');
  }
}

export function isAbove(role: TeamRole, other: TeamRole): boolean {
  return ranks[role] > ranks[other];
}

/** Throws RoleTooHighError if one of the roles is above that of the actor. An API key acts with the role of an admin. */
export function checkMayManage(actor: TeamRole, ...roles: readonly TeamRole[]): void {
  if (roles.some((role) => isAbove(role, actor))) throw new RoleTooHighError();
}

/**
 * Invitations in a window: of one user or key, of one team, of one team to one address, and of all teams to one address.
 * The first invitation of a team to an address counts for the last of these, but is not refused for it: else a stranger's
 * team could keep people out of another.
 */
export const invitationLimits = {
  'invite-actor': { max: 50, ms: 60 * 60_000 },
  'invite-team': { max: 100, ms: 60 * 60_000 },
  'invite-address': { max: 5, ms: 24 * 60 * 60_000 },
  'invite-anywhere': { max: 20, ms: 24 * 60 * 60_000 },
} as const;

export class TooManyInvitationsError extends DomainError {
  constructor(retryAfterSeconds?: number) {
    super(
      'limited',
      'too_many_invitations',
      'Too many invitations. Wait a while, then invite again.',
      retryAfterSeconds,
    );
  }
}

export const maxMembers = 1_000;
export const maxOpenInvitations = 200;
export const invitationDays = 7;

export class TooManyMembersError extends DomainError {
  constructor() {
    super(
      'conflict',
      'too_many_members',
      `A team has at most ${maxMembers} members and ${maxOpenInvitations} open invitations.`,
    );
  }
}
