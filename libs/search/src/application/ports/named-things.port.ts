import type { FoundKind, FoundThing } from '../../domain/found-thing.js';

export type NamedKind = Exclude<FoundKind, 'contact'>;

/** What a team has given names to. */
export abstract class NamedThings {
  /**
   * Of each kind at most `limit` whose name or detail has the text, in any case: first those that begin with it, then
   * the newest. Examines a bounded number of each kind, the newest. `text` is without differences of case
   * (`foldedCase`).
   */
  abstract find(
    teamId: string,
    kinds: readonly NamedKind[],
    text: string,
    limit: number,
  ): Promise<readonly FoundThing[]>;
}
