import type { TeamRole } from '#identity';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** A signed-in user, with the session that says so. */
export interface SessionUser extends User {
  readonly sessionId: string;
  readonly isOperator: boolean;
  readonly hasSecondFactor: boolean;
  /** When the user last proved who they are: signed in, or entered the password or a code again. */
  readonly authenticatedAt: Date;
}

export interface Membership {
  readonly teamId: string;
  readonly teamName: string;
  readonly role: TeamRole;
}

/** How long after signing in dangerous actions are allowed. */
export const recentMs = 15 * 60_000;

export function isRecent({ authenticatedAt }: Pick<SessionUser, 'authenticatedAt'>, now: Date): boolean {
  return now.getTime() - authenticatedAt.getTime() < recentMs;
}
