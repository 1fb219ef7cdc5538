import { DomainError } from './domain-error.js';

/** What bodies are made of: the document of the editor, or html that somebody wrote. */
export type ContentSource = 'editor' | 'html';

/** Where the html and the text of a broadcast or a template come from. */
export interface ContentOrigin {
  /**
   * The document in JSON that was composed last; null if there was none. It stays when html is written over it, so that nothing is
   * lost.
   */
  readonly document: string | null;
  readonly contentSource: ContentSource;
  /** Grows with every change of html, text or document. */
  readonly contentRevision: number;
}

/** A document and the bodies that were rendered from it. */
export interface ComposedContent {
  readonly document: string;
  readonly html: string;
  readonly text: string;
}

interface ContentBodies {
  readonly html: string | null;
  readonly text: string | null;
}

export const noContentOrigin: ContentOrigin = { document: null, contentSource: 'html', contentRevision: 0 };

/** Somebody else has changed the content since the caller read it. */
export class ContentChangedError extends DomainError {
  constructor() {
    super('conflict', 'resource_locked', 'The content has been changed since it was read. Read it again.');
  }
}

/** The origin after a document was composed. @param base the revision on which it is based; undefined: whichever is there */
export function composedOrigin(
  before: ContentOrigin,
  { document }: ComposedContent,
  base: number | undefined,
): ContentOrigin {
  if (base !== undefined && base !== before.contentRevision) throw new ContentChangedError();
  return { document, contentSource: 'editor', contentRevision: before.contentRevision + 1 };
}

/** The origin after a request that may have changed the bodies. The same bodies, as clients repeat them, change nothing. */
export function originAfter(before: (ContentOrigin & ContentBodies) | undefined, after: ContentBodies): ContentOrigin {
  if (before === undefined) return noContentOrigin;
  const { document, contentSource, contentRevision, html, text } = before;
  if (html === after.html && text === after.text) return { document, contentSource, contentRevision };
  return { document, contentSource: 'html', contentRevision: contentRevision + 1 };
}
