import { Transaction } from '#kernel';
import { Team } from '../../domain/api-key.js';

export abstract class TeamRepository {
  abstract insert(team: Team, transaction: Transaction): Promise<void>;

  /**
   * Tells whether any team exists. Locks the table until the transaction ends, so that only one process makes the first
   * start.
   */
  abstract anyExists(transaction: Transaction): Promise<boolean>;

  /** Locks the row of a team until the transaction ends. */
  abstract lock(teamId: string, transaction: Transaction): Promise<void>;
}
