import type { TeamRole } from '#identity';
import { Membership } from '../../domain/user.js';

/** Which users belong to which teams. */
export abstract class Memberships {
  /** Called on every request of the dashboard: one indexed read. Undefined where the user is not in the team. */
  abstract roleOf(userId: string, teamId: string): Promise<TeamRole | undefined>;

  /** By name, at most 1000. */
  abstract teamsOf(userId: string): Promise<readonly Membership[]>;
}
