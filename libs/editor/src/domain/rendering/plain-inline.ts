import { DocumentNode } from '../document/document-node.js';
import { textAttr } from './markup.js';
import { tagOf } from './inline.js';

/** In a text there are no entities: a space keeps braces from being read as a condition. */
export function withoutSections(text: string): string {
  return text.includes('{{') ? text.replace(/\{\{(?=#|\/if\}|\/each\}|else\})/g, '{ {') : text;
}

/** The words of inline content, links with their address. */
export function plainInline(nodes: readonly DocumentNode[], hasLinks = false): string {
  let text = '';
  nodes.forEach((node, at) => {
    if (node.type === 'hardBreak') text += '\n';
    else if (node.type === 'variable') text += tagOf(node);
    else text += withoutSections(node.text ?? '');
    const href = hasLinks ? hrefOf(node) : '';
    if (href !== '' && href !== hrefOf(nodes[at + 1])) text += addressBehind(text, href);
  });
  return text;
}

function hrefOf(node: DocumentNode | undefined): string {
  return textAttr(node?.marks?.find(({ type }) => type === 'link')?.attrs, 'href');
}

/** A link whose text is its address needs no second one. */
export function addressBehind(text: string, href: string): string {
  if (href === '' || href.startsWith('#')) return '';
  const bare = href.replace(/^(?:https?:\/\/|mailto:|tel:|sms:)/i, '').replace(/\/$/, '');
  return text.endsWith(bare) || text.endsWith(href) ? '' : ` (${withoutSections(href)})`;
}
