import { Page, PageRequest, Transaction } from '#kernel';
import { Team } from '../../domain/api-key.js';

export abstract class TeamRepository {
  abstract insert(team: Team, transaction: Transaction): Promise<void>;

  /**
   * Tells whether any team exists. Locks the table until the transaction ends, so that only one process makes the first
   * start.
   */
  abstract anyExists(transaction: Transaction): Promise<boolean>;

  abstract find(teamId: string): Promise<Team | undefined>;

  /** The team that the first start has made. */
  abstract oldest(transaction: Transaction): Promise<Team | undefined>;

  /** All teams of the installation, or those whose name has the text `search` in any case, newest first. */
  abstract list(page: PageRequest, search?: string): Promise<Page<Team>>;

  /** Returns false if there is no such team. */
  abstract rename(teamId: string, name: string): Promise<boolean>;

  /**
   * Locks the row of a team until the transaction ends. Use cases that count what it has before they add more run one
   * after the other in this way. Rows that refer to the team can be written meanwhile.
   */
  abstract lock(teamId: string, transaction: Transaction): Promise<void>;
}
