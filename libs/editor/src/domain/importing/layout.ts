import { styleOf } from './element-style.js';
import type { HtmlElement, HtmlNode } from './html-tree.js';

const templateTags = /\{?\{\{[^{}]*\}\}\}?|\{%[^{}]*%\}/g;

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

/** Browsers also show what stands in a table without a row or a cell. */
export function rowsOf(table: HtmlElement): readonly LayoutRow[] {
  const rows: LayoutRow[] = [];
  let stray: HtmlNode[] = [];
  const add = (row: HtmlElement): void => {
    const cells = row.children.flatMap(cellsOf);
    if (cells.length > 0) rows.push({ row, cells });
  };
  const flush = (): void => {
    add({ ...table, attrs: new Map(), children: stray });
    stray = [];
  };
  for (const child of table.children) {
    const name = typeof child === 'string' ? '' : child.name;
    const isGroup = ['tbody', 'thead', 'tfoot'].includes(name);
    if (isGroup || name === 'tr') flush();
    if (isGroup) for (const row of rowsOf(child as HtmlElement)) rows.push(row);
    else if (name === 'tr') add(child as HtmlElement);
    else stray.push(child);
  }
  flush();
  return rows;
}

function cellsOf(node: HtmlNode): readonly HtmlElement[] {
  const around = { name: 'td', attrs: new Map<string, string>(), start: 0, contentStart: 0, contentEnd: 0, end: 0 };
  // Loops of templates are written around rows, and no reader sees them.
  if (typeof node === 'string')
    return node.replace(templateTags, '').trim() === '' ? [] : [{ ...around, children: [node] }];
  if (['caption', 'col', 'colgroup'].includes(node.name)) return [];
  return [node.name === 'td' || node.name === 'th' ? node : { ...around, children: [node] }];
}
