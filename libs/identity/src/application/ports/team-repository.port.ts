import { Transaction } from '#kernel';
import { Team } from '../../domain/api-key.js';

export abstract class TeamRepository {
  abstract insert(team: Team, transaction: Transaction): Promise<void>;

  /** Serialises first starts: holds a lock until the transaction ends, then tells whether any team exists. */
  abstract anyExists(transaction: Transaction): Promise<boolean>;

  /** Locks the row of a team until the transaction ends. */
  abstract lock(teamId: string, transaction: Transaction): Promise<void>;
}
