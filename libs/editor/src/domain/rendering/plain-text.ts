import { writtenCondition } from '#kernel';
import type { Rule } from '#kernel';
import { htmlToText } from '#mime';
import { DocumentNode } from '../document/document-node.js';
import { TeamStyles } from '../styles/team-styles.js';
import { numberAttr, textAttr } from './markup.js';
import { labelledItems, networkNames } from './shop-blocks.js';
import { addressBehind, plainInline, withoutSections } from './plain-inline.js';
import { unsubscribeWord } from './unsubscribe-word.js';

interface TextOptions {
  readonly styles: TeamStyles;
  readonly kind: 'broadcast' | 'template';
  readonly lang: string;
}

/** The text part: what a person would write for somebody who reads without pictures. Lines are not wrapped. */
export function plainText(blocks: readonly DocumentNode[], options: TextOptions): string {
  const text = new TextWriter(options).blocks(blocks).trim();
  return text === '' ? '' : `${text}\n`;
}

class TextWriter {
  constructor(private readonly options: TextOptions) {}

  /** Blocks, with an empty line between them. Conditions and lists end with their own, which goes with them. */
  blocks(nodes: readonly DocumentNode[] | undefined): string {
    let text = '';
    let needsLine = false;
    for (const node of nodes ?? []) {
      const block = this.block(node);
      if (block === '') continue;
      text += needsLine ? `\n\n${block}` : block;
      needsLine = !block.endsWith('{{/if}}') && !block.endsWith('{{/each}}');
    }
    return text;
  }

  private block(node: DocumentNode): string {
    const { attrs, content } = node;
    switch (node.type) {
      case 'paragraph':
        return plainInline(content ?? [], true).trim();
      case 'heading':
        return this.heading(node);
      case 'bulletList':
      case 'orderedList':
        return this.list(node);
      case 'blockquote':
        return prefixed(this.blocks(content), '> ', '> ');
      case 'codeBlock':
        return prefixed((content ?? []).map((piece) => withoutSections(piece.text ?? '')).join(''), '    ', '    ');
      case 'horizontalRule':
        return '---';
      case 'button':
        return linked(plainInline(content ?? []), textAttr(attrs, 'href'));
      case 'image':
        return textAttr(attrs, 'alt') === ''
          ? ''
          : linked(`[${withoutSections(textAttr(attrs, 'alt'))}]`, textAttr(attrs, 'href'));
      case 'table':
        return (content ?? [])
          .map((row) => (row.content ?? []).map((cell) => oneLine(this.blocks(cell.content))).join(' | '))
          .join('\n');
      case 'conditional': {
        const rule = attrs?.rule as Rule | undefined;
        const inner = this.blocks(content);
        // The empty line belongs to the condition: where it does not hold, none is left.
        return rule === undefined || inner === '' ? inner : `{{#if ${writtenCondition(rule)}}}${inner}\n\n{{/if}}`;
      }
      case 'repeat': {
        const [list, inner] = [textAttr(attrs, 'list'), this.blocks(content)];
        return /^\w[\w.]*$/.test(list) && inner !== '' ? `{{#each ${list}}}${inner}\n\n{{/each}}` : inner;
      }
      default:
        return this.other(node);
    }
  }

  private other(node: DocumentNode): string {
    const { attrs, content } = node;
    const of = (name: string): string => withoutSections(textAttr(attrs, name));
    switch (node.type) {
      case 'logo':
        return withoutSections(this.options.styles.logoAlt || this.options.styles.company);
      case 'social':
        return labelledItems(node)
          .map(({ network = '', href = '' }) => `${networkNames[network] ?? network}: ${href}`)
          .join('\n');
      case 'menu':
        return labelledItems(node)
          .map(({ label = '', href = '' }) => linked(label, href))
          .join('\n');
      case 'video':
        return textAttr(attrs, 'src') === '' ? '' : linked(of('alt') || 'Video', of('href'));
      case 'product': {
        const price = of('price') === '' ? '' : `${of('price')}${of('oldPrice') === '' ? '' : ` (${of('oldPrice')})`}`;
        return [of('title'), of('text'), price, of('href')].filter((line) => line !== '').join('\n');
      }
      case 'countdown':
        return of('until') === '' ? '' : `${of('until').slice(0, 16).replace('T', ' ')} UTC`;
      case 'html':
        return htmlToText(textAttr(attrs, 'html'));
      case 'footer':
        return this.footer(node);
      default:
        return this.blocks(content);
    }
  }

  private heading(node: DocumentNode): string {
    const text = plainInline(node.content ?? [], true).trim();
    if (text === '') return '';
    const level = numberAttr(node.attrs, 'level') ?? 1;
    // Capitals would change tags as well; a line below does not.
    const length = text.split('\n').reduce((longest, line) => Math.min(60, Math.max(longest, line.length)), 0);
    return level > 2 ? text : `${text}\n${(level === 1 ? '=' : '-').repeat(length)}`;
  }

  private list(node: DocumentNode): string {
    const start = numberAttr(node.attrs, 'start') ?? 1;
    return (node.content ?? [])
      .map((item, no) => {
        const sign = node.type === 'orderedList' ? `${start + no}. ` : '- ';
        return prefixed(this.blocks(item.content).replaceAll('\n\n', '\n'), sign, ' '.repeat(sign.length));
      })
      .join('\n');
  }

  private footer({ attrs, content }: DocumentNode): string {
    const address = textAttr(attrs, 'address') || this.options.styles.address;
    const { kind, lang } = this.options;
    const label = textAttr(attrs, 'unsubscribe') || (kind === 'broadcast' ? unsubscribeWord(lang) : '');
    const parts = [
      this.blocks(content),
      withoutSections(address),
      label === '' ? '' : `${label}: {{{RESEND_UNSUBSCRIBE_URL}}}`,
    ];
    const text = parts.filter((part) => part !== '').join('\n\n');
    return text === '' ? '' : `-- \n${text}`;
  }
}

function linked(text: string, href: string): string {
  return `${text}${addressBehind(text, href)}`.trim();
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function prefixed(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, no) => (line === '' && others.trim() === '' ? '' : `${no === 0 ? first : others}${line}`))
    .join('\n');
}
