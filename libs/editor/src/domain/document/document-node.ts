/** A node of a document in the shape of ProseMirror's JSON, which TipTap writes. */
export interface DocumentNode {
  readonly type: string;
  readonly attrs?: Attributes;
  readonly content?: readonly DocumentNode[];
  readonly marks?: readonly DocumentMark[];
  /** Of a `text` node. */
  readonly text?: string;
}

export interface DocumentMark {
  readonly type: string;
  readonly attrs?: Attributes;
}

export type Attributes = Readonly<Record<string, unknown>>;

/** A whole document that was checked: it has known nodes only, where they may stand, with the attributes that count. */
export interface EmailDocument extends DocumentNode {
  readonly type: 'doc';
  readonly content: readonly DocumentNode[];
}

export const emptyDocument: EmailDocument = { type: 'doc', content: [] };

/** Limits of a document. Mail programs cut html off that is a tenth of what this makes. */
export const maxDocumentBytes = 1024 * 1024;
export const maxNodes = 10_000;
/** Columns in a section in columns have nine levels. */
export const maxNodeDepth = 24;
