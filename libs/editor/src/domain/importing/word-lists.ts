import type { DocumentNode } from '../document/document-node.js';
import { styleOf } from './element-style.js';
import { HtmlElement, HtmlNode, textOf } from './html-tree.js';

/** What Word writes in front of the words of a list item: a sign, or a number. */
const wordSign = /^[\s\u00a0]{0,20}(?:[·•o§▪–-]|(\d{1,4}|[a-z]{1,4})[.)])[\s\u00a0]{1,20}/i;

/** A paragraph that Word means as an item of a list, and its place among its neighbours. */
export interface WordItem {
  readonly element: HtmlElement;
  readonly at: number;
}

/** The paragraphs from here on that are the items of one list. */
export function wordItems(
  nodes: readonly HtmlNode[],
  from: number,
  isInline: (node: HtmlNode) => boolean,
): readonly WordItem[] {
  const items: WordItem[] = [];
  for (let at = from; at < nodes.length; at++) {
    const node = nodes[at] as HtmlNode;
    if (typeof node === 'string' && node.trim() === '') continue;
    if (typeof node === 'string' || !styleOf(node).has('mso-list') || !node.children.every(isInline)) break;
    items.push({ element: node, at });
  }
  return items;
}

export function isNumbered([first]: readonly WordItem[]): boolean {
  return first !== undefined && wordSign.exec(textOf(first.element))?.[1] !== undefined;
}

/** The sign may be in several nodes, before the words. */
export function withoutSign(nodes: readonly DocumentNode[]): readonly DocumentNode[] {
  const text = nodes.map((node) => node.text ?? '\ufffc').join('');
  let left = wordSign.exec(text)?.[0].length ?? 0;
  return nodes.flatMap((node) => {
    const length = node.text?.length ?? 1;
    const cut = Math.min(left, length);
    left -= cut;
    if (cut === 0) return [node];
    const rest = node.text?.slice(cut) ?? '';
    return rest === '' ? [] : [{ ...node, text: rest }];
  });
}
