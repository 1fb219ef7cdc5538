import { Page, PageRequest, Transaction } from '#kernel';
import type { MaybePromise } from '#kernel';
import { ApiKey, ApiKeyChanges, Team, TeamChanges } from '../../domain/api-key.js';
import type { GrantInForce } from '../../domain/principal.js';

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
  abstract change(teamId: string, changes: TeamChanges): Promise<boolean>;

  /**
   * Locks the row of a team until the transaction ends. Use cases that count what it has before they add more run one
   * after the other in this way. Rows that refer to the team can be written meanwhile.
   */
  abstract lock(teamId: string, transaction: Transaction): Promise<void>;
}

export abstract class ApiKeyRepository {
  abstract insert(apiKey: ApiKey, transaction: Transaction): Promise<void>;

  /**
   * Called on every request: at most one indexed read, behind a cache of a few seconds. A deleted key stops working in
   * every process at once.
   */
  abstract findByTokenHash(tokenHash: Buffer): MaybePromise<ApiKey | undefined>;

  /** A key that signs requests and is not sent with them. Cached like `findByTokenHash`. */
  abstract findById(id: string): MaybePromise<ApiKey | undefined>;

  /** Called on every request with a key that a tool has made: one indexed read. Undefined once the grant has ended. */
  abstract findGrant(grantId: string): Promise<GrantInForce | undefined>;

  /** Newest first. Keys whose grant has ended are left out. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<ApiKey>>;

  abstract find(teamId: string, id: string): Promise<ApiKey | undefined>;

  /**
   * Absent fields stay as they are, also those that others change meanwhile. In force in every process with the commit.
   * `last`: the team's last key with full access would only draft, and stays as it is.
   */
  abstract change(teamId: string, id: string, changes: ApiKeyChanges): Promise<'changed' | 'unknown' | 'last'>;

  /**
   * The key stops working in every process with the commit. `last`: the key is the team's last one with full access,
   * and stays.
   */
  abstract delete(teamId: string, id: string): Promise<'deleted' | 'unknown' | 'last'>;

  /** Stores when keys were last used. A time that is earlier than the stored one changes nothing. */
  abstract recordUse(lastUses: ReadonlyMap<string, Date>): Promise<void>;
}

/** Tells which team owns a domain. The domains lib implements it. */
export abstract class DomainOwnership {
  abstract isOwnedBy(teamId: string, domainId: string): Promise<boolean>;
}
