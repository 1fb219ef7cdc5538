import type { ComposedContent } from '#kernel';
import { ContentRef } from '../../domain/content.js';
import type { ImportFormat } from '../../domain/importing/import-html.js';
import { GivenStyles } from '../../domain/styles/team-styles.js';

export interface CheckedDocument {
  /** JSON in the form in which it is stored. */
  readonly document: string;
  /** What was left out of it, in words. */
  readonly notes: readonly string[];
}

export type ComposedDocument = ComposedContent & CheckedDocument & { readonly mjml?: string };

/**
 * Checks and renders documents of clients, large ones outside the main thread and in the turn of their team.
 *
 * `given` is a value of JSON, in which a long text may be a `LargeText`. Refused documents reject with the errors of
 * `parseDocument` and `renderDocument`.
 */
export abstract class DocumentComposer {
  /** The styles of the document itself apply on top of `styles`. The result has `mjml` if the look does. */
  abstract compose(
    teamId: string,
    given: unknown,
    look: { readonly kind: ContentRef['type']; readonly styles: GivenStyles; readonly hasMjml?: boolean },
  ): Promise<ComposedDocument>;

  abstract check(teamId: string, given: unknown): Promise<CheckedDocument>;

  /** A document from a text of another program. Rejects with the errors of `importHtml` and `importMjml`. */
  abstract import(teamId: string, format: ImportFormat, text: string): Promise<CheckedDocument>;
}
