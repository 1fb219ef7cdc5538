import type { DocumentNode } from '../document/document-node.js';

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
