import { DocumentNode } from '../document/document-node.js';
import { fontStack, monospace } from '../styles/team-styles.js';
import { inlineHtml } from './inline.js';
import {
  alignmentOf,
  css,
  escaped,
  layout,
  looks,
  numberAttr,
  BlockPlace,
  spaceBelow,
  textAttr,
  typography,
} from './markup.js';

/** Renders blocks within another block. */
export type Inner = (nodes: readonly DocumentNode[] | undefined, place: BlockPlace) => string;

/** Size, line height and space below, of a text of 16 pixels. */
const headings: Readonly<Record<number, readonly [size: number, lineHeight: number, space: number]>> = {
  1: [30, 1.25, 16],
  2: [22, 1.3, 12],
  3: [18, 1.4, 8],
  4: [16, 1.5, 8],
  5: [14, 1.5, 8],
  6: [13, 1.5, 8],
};

export function paragraph(node: DocumentNode, place: BlockPlace): string {
  const { styles } = place;
  const content = inlineHtml(node.content, place);
  const size = numberAttr(node.attrs, 'size');
  const style = css(
    {
      margin: `0 0 ${spaceBelow(node, place, styles.fontSize)}px`,
      ...sized(size, numberAttr(node.attrs, 'lineHeight'), styles.fontSize, styles.lineHeight),
      color: textAttr(node.attrs, 'color'),
      'text-align': ownAlignment(node, place),
    },
    node.attrs?.style,
  );
  // An empty paragraph is a line that somebody left free.
  return `<p style="${style}">${content === '' ? '&nbsp;' : content}</p>`;
}

export function heading(node: DocumentNode, place: BlockPlace): string {
  const { styles, palette, hasDark, isFirst } = place;
  const level = numberAttr(node.attrs, 'level') ?? 1;
  const [usual, lineHeight, space] = headings[level] as (typeof headings)[1];
  const scaled = Math.round((usual * styles.fontSize) / 16);
  const color = textAttr(node.attrs, 'color');
  const style = css(
    {
      margin: `${isFirst ? 0 : 8}px 0 ${spaceBelow(node, place, space)}px`,
      'font-family': styles.headingFont === styles.font ? undefined : fontStack(styles.headingFont),
      ...sized(numberAttr(node.attrs, 'size') ?? scaled, numberAttr(node.attrs, 'lineHeight') ?? lineHeight, 0, 0),
      'font-weight': String(styles.headingWeight),
      'letter-spacing': level === 1 && scaled > 26 ? '-0.4px' : undefined,
      color: color === '' ? palette.heading : color,
      'text-align': ownAlignment(node, place),
    },
    node.attrs?.style,
  );
  return `<h${level}${looks(style, hasDark && color === '' && 'e-h')}>${inlineHtml(node.content, place)}</h${level}>`;
}

export function list(node: DocumentNode, place: BlockPlace, inner: Inner): string {
  const { styles } = place;
  const tag = node.type === 'bulletList' ? 'ul' : 'ol';
  const start = numberAttr(node.attrs, 'start');
  const style = css(
    {
      margin: `0 0 ${spaceBelow(node, place, styles.fontSize)}px`,
      padding: '0 0 0 24px',
      ...sized(numberAttr(node.attrs, 'size'), undefined, styles.fontSize, styles.lineHeight),
      color: textAttr(node.attrs, 'color'),
      'text-align': place.alignment === 'center' ? 'left' : undefined,
    },
    node.attrs?.style,
  );
  const within = { ...place, alignment: 'left', width: Math.max(40, place.width - 24) };
  const items = (node.content ?? []).map((item) => listItem(item, within, inner)).join('');
  return `<${tag}${start === undefined || start === 1 || tag === 'ul' ? '' : ` start="${start}"`} style="${style}">${items}</${tag}>`;
}

function listItem(item: DocumentNode, place: BlockPlace, inner: Inner): string {
  const [only, ...others] = item.content ?? [];
  const style = css({ margin: '0 0 6px' }, item.attrs?.style);
  // A paragraph alone needs no margins of its own.
  const isPlain = only?.type === 'paragraph' && only.attrs === undefined && others.length === 0;
  const content = isPlain ? inlineHtml(only.content, place) : inner(item.content?.map(tight), place);
  return `<li style="${style}">${content}</li>`;
}

/** Paragraphs of an item stand closer together. */
function tight(node: DocumentNode): DocumentNode {
  return node.type === 'paragraph' ? { ...node, attrs: { space: 6, ...node.attrs } } : node;
}

export function blockquote(node: DocumentNode, place: BlockPlace, inner: Inner): string {
  const { palette, hasDark } = place;
  const color = textAttr(node.attrs, 'color');
  const within = {
    ...place,
    palette: { ...palette, text: palette.muted },
    width: Math.max(40, place.width - 20),
    alignment: 'left',
  };
  const style = css(
    { padding: '2px 0 2px 16px', 'border-left': `4px solid ${color === '' ? palette.line : color}` },
    node.attrs?.style,
  );
  const text = `${typography(within, fontStack(place.styles.font))};${style}`;
  const cell = `<td${looks(text, hasDark && 'e-m', hasDark && color === '' && 'e-l')}>${inner(node.content, within)}</td>`;
  return spaced(`${layout(' width="100%"')}<tr>${cell}</tr></table>`, spaceBelow(node, place, place.styles.fontSize));
}

export function codeBlock(node: DocumentNode, place: BlockPlace): string {
  const { styles, palette, hasDark } = place;
  const size = Math.round(styles.fontSize * 0.85);
  const text = (node.content ?? []).map((piece) => piece.text ?? '').join('');
  const box = css({
    padding: '14px 16px',
    'background-color': hasDark ? styles.background : undefined,
    border: `1px solid ${palette.line}`,
    'border-radius': 6,
  });
  const style = css({
    margin: 0,
    'font-family': monospace,
    'font-size': size,
    'line-height': Math.round(size * 1.55),
    color: palette.text,
    'white-space': 'pre-wrap',
    'word-break': 'break-word',
    'text-align': 'left',
  });
  const pre = `<pre${looks(style, hasDark && 'e-t')}><code style="font-family:inherit">${escaped(text)}</code></pre>`;
  const table = `${layout(' width="100%"')}<tr><td${looks(box, hasDark && 'e-p e-l')}>${pre}</td></tr></table>`;
  return spaced(table, spaceBelow(node, place, styles.fontSize));
}

/** Space below a table: margins of tables are not kept everywhere. */
export function spaced(html: string, space: number): string {
  return space === 0 ? html : `${html}${gap(space)}`;
}

/** Empty space of this height in every mail program. */
export function gap(height: number): string {
  return `<div style="height:${height}px;line-height:${height}px;font-size:1px;mso-line-height-rule:exactly">&#8202;</div>`;
}

function sized(
  size: number | undefined,
  lineHeight: number | undefined,
  usualSize: number,
  usualHeight: number,
): Record<string, number | undefined> {
  if (size === undefined && lineHeight === undefined) return {};
  const pixels = size ?? usualSize;
  return { 'font-size': size, 'line-height': Math.round(pixels * (lineHeight ?? (pixels > 22 ? 1.3 : usualHeight))) };
}

function ownAlignment(node: DocumentNode, place: BlockPlace): string | undefined {
  const alignment = alignmentOf(node, place);
  return alignment === place.alignment ? undefined : alignment;
}
