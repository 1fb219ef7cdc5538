import { Page, PageRequest, Transaction } from '#kernel';
import { Suppression, SuppressionOrigin } from '../../domain/suppression.js';

export type SuppressionChoice = { readonly ids: readonly string[] } | { readonly emails: readonly string[] };

/** Emails are in their compared form everywhere here (`suppressionKey`). */
export abstract class SuppressionRepository {
  /** An address that is there already keeps its entry. Responses in the order asked, with the ids that count. */
  abstract add(suppressions: readonly Suppression[], transaction: Transaction): Promise<readonly string[]>;

  abstract find(teamId: string, choice: SuppressionChoice): Promise<Suppression | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest, origin: SuppressionOrigin | undefined): Promise<Page<Suppression>>;

  /** Responses with what was removed, in the order asked; what is unknown is left out. */
  abstract remove(teamId: string, choice: SuppressionChoice, transaction: Transaction): Promise<readonly Suppression[]>;

  /** Those of the addresses that are suppressed for the team beside them: one indexed read for all. */
  abstract among(
    addresses: readonly { readonly teamId: string; readonly email: string }[],
    transaction: Transaction,
  ): Promise<readonly Pick<Suppression, 'teamId' | 'email' | 'origin'>[]>;
}
