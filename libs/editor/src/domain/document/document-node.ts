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

/** A whole tag in three braces, as `MergeTemplate` reads it. */
const tag = /\{\{\{[ \t]{0,9}(\w[\w.]{0,99})[ \t]{0,9}(?:\|([^{}]{0,500}))?\}\}\}/g;

/** Divides a text into texts and variables. */
export function splitVariables(text: string): readonly DocumentNode[] {
  if (!text.includes('{{{')) return [{ type: 'text', text }];
  const nodes: DocumentNode[] = [];
  let at = 0;
  for (const match of text.matchAll(tag)) {
    if (match.index > at) nodes.push({ type: 'text', text: text.slice(at, match.index) });
    const [written, name = '', fallback] = match;
    nodes.push({ type: 'variable', attrs: fallback === undefined || fallback === '' ? { name } : { name, fallback } });
    at = match.index + written.length;
  }
  if (at < text.length) nodes.push({ type: 'text', text: text.slice(at) });
  return nodes;
}
