import { DocumentMark, DocumentNode } from '../document/document-node.js';
import { monospace } from '../styles/team-styles.js';
import { css, escaped, looks, numberAttr, BlockPlace, textAttr } from './markup.js';

/** Text, line breaks and variables with their marks. Neighbours with the same link share it. */
export function inlineHtml(nodes: readonly DocumentNode[] | undefined, place: BlockPlace): string {
  if (nodes === undefined) return '';
  let html = '';
  for (let at = 0; at < nodes.length;) {
    const link = linkOf(nodes[at] as DocumentNode);
    if (link === undefined) {
      html += marked(nodes[at] as DocumentNode, place);
      at++;
      continue;
    }
    let inner = '';
    do inner += marked(nodes[at++] as DocumentNode, place);
    while (at < nodes.length && isSame(link, linkOf(nodes[at] as DocumentNode)));
    html += linked(link, inner, place);
  }
  return html;
}

export function tagOf({ attrs }: DocumentNode): string {
  const fallback = textAttr(attrs, 'fallback');
  return `{{{${textAttr(attrs, 'name')}${fallback === '' ? '' : `|${fallback}`}}}}`;
}

function linkOf({ marks }: DocumentNode): DocumentMark | undefined {
  return marks?.find(({ type }) => type === 'link');
}

function isSame(one: DocumentMark, other: DocumentMark | undefined): boolean {
  return other !== undefined && JSON.stringify(one.attrs) === JSON.stringify(other.attrs);
}

function linked({ attrs }: DocumentMark, inner: string, { palette, hasDark }: BlockPlace): string {
  const title = textAttr(attrs, 'title');
  const style = css({ color: palette.link, 'text-decoration': 'underline' }, attrs?.style);
  const href = textAttr(attrs, 'href');
  return `<a href="${escaped(href === '' ? '#' : href)}"${title === '' ? '' : ` title="${escaped(title)}"`}${looks(style, hasDark && 'e-a')}>${inner}</a>`;
}

function marked(node: DocumentNode, place: BlockPlace): string {
  let html = contentOf(node);
  for (const mark of node.marks ?? []) html = withMark(html, mark, place);
  return html;
}

function contentOf(node: DocumentNode): string {
  switch (node.type) {
    case 'hardBreak':
      return '<br>';
    case 'variable':
      return escaped(tagOf(node));
    default:
      return escaped(node.text ?? '');
  }
}

function withMark(html: string, { type, attrs }: DocumentMark, { styles, palette, hasDark }: BlockPlace): string {
  switch (type) {
    case 'bold':
      return `<strong>${html}</strong>`;
    case 'italic':
      return `<em>${html}</em>`;
    case 'underline':
      return `<u>${html}</u>`;
    case 'strike':
      return `<s>${html}</s>`;
    case 'sup':
    case 'sub':
      return `<${type} style="line-height:0;font-size:75%">${html}</${type}>`;
    case 'uppercase':
      return `<span style="text-transform:uppercase">${html}</span>`;
    case 'code': {
      const style = css({
        'font-family': monospace,
        'font-size': '90%',
        'background-color': hasDark ? styles.background : undefined,
        border: `1px solid ${palette.line}`,
        'border-radius': 4,
        padding: '1px 4px',
      });
      return `<code${looks(style, hasDark && 'e-p e-l')}>${html}</code>`;
    }
    case 'textStyle': {
      const size = numberAttr(attrs, 'size');
      const style = css({
        color: textAttr(attrs, 'color'),
        'font-size': size,
        'line-height': size === undefined ? undefined : '1.3',
        'background-color': textAttr(attrs, 'background'),
      });
      return `<span${looks(style)}>${html}</span>`;
    }
    case 'preservedStyle':
      return `<span${looks(css({}, attrs?.style))}>${html}</span>`;
    default:
      return html;
  }
}
