import { Page, PageRequest, Transaction } from '#kernel';
import { Suppression, SuppressionOrigin } from '../../domain/suppression.js';

export type SuppressionChoice = { readonly ids: readonly string[] } | { readonly emails: readonly string[] };

/** Stores the suppressed addresses of all teams. Every `email` here is in the form that `suppressionKey` returns. */
export abstract class SuppressionRepository {
  /**
   * Keeps the entry of an address that is already suppressed. Returns the id of the entry of each address, in the order
   * of the request.
   */
  abstract add(suppressions: readonly Suppression[], transaction: Transaction): Promise<readonly string[]>;

  abstract find(teamId: string, choice: SuppressionChoice): Promise<Suppression | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest, origin: SuppressionOrigin | undefined): Promise<Page<Suppression>>;

  /** Returns the removed suppressions, in the order of the request, without unknown ones. */
  abstract remove(teamId: string, choice: SuppressionChoice, transaction: Transaction): Promise<readonly Suppression[]>;

  /**
   * Returns those of the addresses that are suppressed for the team given with them. One indexed read for all of them.
   */
  abstract among(
    addresses: readonly { readonly teamId: string; readonly email: string }[],
    transaction: Transaction,
  ): Promise<readonly Pick<Suppression, 'id' | 'teamId' | 'email' | 'origin'>[]>;

  /** Which of the teams have entries whose address is concealed by its hash (`concealedPrefix`). One indexed read. */
  abstract teamsThatConceal(teamIds: readonly string[], transaction: Transaction): Promise<ReadonlySet<string>>;

  /** Replaces the address of an entry. Returns false if there is none, or one with the new address. */
  abstract replaceAddress(teamId: string, email: string, by: string, transaction: Transaction): Promise<boolean>;
}

/**
 * Hashes addresses with a key that only this installation has. The hash of an address differs from team to team, is no
 * address itself, and stays the same when SECRET_KEY changes.
 */
export abstract class AddressHashes {
  abstract hasher(): Promise<(teamId: string, email: string) => string>;
}
