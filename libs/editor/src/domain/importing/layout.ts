import { styleOf } from './element-style.js';
import type { HtmlElement, HtmlNode } from './html-tree.js';

interface Beside {
  readonly element: HtmlElement;
  readonly at: number;
}

/** Boxes that stand in a line where there is room, from this node on: the columns of layouts that fit on phones. */
export function besideEachOther(nodes: readonly HtmlNode[], from: number): readonly Beside[] {
  const found: Beside[] = [];
  for (let at = from; at < nodes.length && found.length < 5; at++) {
    const node = nodes[at] as HtmlNode;
    if (typeof node === 'string' && node.trim() === '' && found.length > 0) continue;
    if (typeof node === 'string' || !isBeside(node)) break;
    found.push({ element: node, at });
  }
  return found.length > 4 ? [] : found;
}

function isBeside(element: HtmlElement): boolean {
  if (element.name !== 'div' && element.name !== 'table') return false;
  const style = styleOf(element);
  return style.get('display') === 'inline-block' && (style.has('max-width') || style.has('width'));
}

export interface LayoutRow {
  readonly row: HtmlElement;
  readonly cells: readonly HtmlElement[];
}

export function rowsOf(table: HtmlElement): readonly LayoutRow[] {
  return table.children.flatMap((child): readonly LayoutRow[] => {
    if (typeof child === 'string') return [];
    if (child.name !== 'tr') return ['tbody', 'thead', 'tfoot'].includes(child.name) ? rowsOf(child) : [];
    const cells = child.children.filter(
      (cell): cell is HtmlElement => typeof cell !== 'string' && (cell.name === 'td' || cell.name === 'th'),
    );
    return cells.length === 0 ? [] : [{ row: child, cells }];
  });
}
