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

/** Hair spaces and the like keep space open in layouts. */
export function hasWords(nodes: readonly DocumentNode[]): boolean {
  return nodes.some(({ text }) => text !== undefined && /[^\s\u00ad\u034f\u200b-\u200f\u2060]/.test(text));
}

/** Without blanks and line breaks at the ends, and with one blank where there were several. */
export function trimmed(nodes: readonly DocumentNode[]): readonly DocumentNode[] {
  const kept: DocumentNode[] = [];
  for (const node of nodes) {
    const before = kept.at(-1);
    const isAfterBlank = before === undefined || before.type === 'hardBreak' || before.text?.endsWith(' ') === true;
    if (node.type === 'hardBreak' && before === undefined) continue;
    const text = isAfterBlank ? node.text?.replace(/^ /, '') : node.text;
    if (node.text !== undefined && text === '') continue;
    kept.push(text === undefined ? node : { ...node, text });
  }
  for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
    const text = last.text?.replace(/ $/, '');
    if (last.type !== 'hardBreak' && text !== '') {
      if (text !== undefined) kept[kept.length - 1] = { ...last, text };
      break;
    }
    kept.pop();
  }
  return kept;
}
