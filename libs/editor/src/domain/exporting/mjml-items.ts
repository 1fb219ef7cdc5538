import { writtenCondition } from '#kernel';
import type { Rule } from '#kernel';
import type { DocumentNode } from '../document/document-node.js';
import { tableRows } from '../rendering/boxes.js';
import { alignmentOf, BlockPlace, escaped, numberAttr, spaceBelow, textAttr } from '../rendering/markup.js';
import { buttonFace, buttonLook, pixelsOf } from '../rendering/objects.js';
import type { BlockRenderer } from '../rendering/render-document.js';
import { countdownImage, labelledItems, networkNames } from '../rendering/shop-blocks.js';
import { mjmlTag, MjmlValues, withoutMjml } from './mjml-markup.js';

/** A place in a column, whose items keep a distance from its sides. */
export interface ItemPlace extends BlockPlace {
  readonly inset: number;
}

/** The names under which MJML knows the networks. Links with other names are not made links to share. */
const mjmlNetworks: Readonly<Record<string, string>> = { x: 'x-noshare', website: 'web' };
const sharing = new Set(['facebook', 'linkedin', 'pinterest']);

/** Writes blocks as what may stand in a column of MJML. What MJML has no element for is html in a text. */
export class MjmlItems {
  constructor(private readonly renderer: BlockRenderer) {}

  items(nodes: readonly DocumentNode[] | undefined, place: ItemPlace): string[] {
    const last = (nodes?.length ?? 0) - 1;
    return (nodes ?? []).flatMap((node, no) =>
      this.item(node, {
        ...place,
        isFirst: place.isFirst && no === 0,
        isLast: place.isLast && no === last,
      }),
    );
  }

  private item(node: DocumentNode, place: ItemPlace): readonly string[] {
    switch (node.type) {
      case 'button':
        return [this.button(node, place)];
      case 'image':
        return this.image(node, place);
      case 'horizontalRule':
        return [this.divider(node, place)];
      case 'spacer':
        return [mjmlTag('mj-spacer', { height: numberAttr(node.attrs, 'height') ?? 24, padding: padding(place, 0) })];
      case 'table':
        return [this.table(node, place)];
      case 'social':
        return this.social(node, place);
      case 'menu':
        return this.menu(node, place);
      case 'html':
        return this.raw(node, place);
      case 'conditional':
      case 'repeat': {
        const lines = this.items(node.content, { ...place, isLast: place.isLast && node.type === 'conditional' });
        const tags = tagsAround(node);
        return tags === undefined || lines.length === 0 ? lines : [tags[0], ...lines, tags[1]];
      }
      case 'container':
      case 'body':
        return this.items(node.content, place);
      default:
        return this.shop(node, place);
    }
  }

  private shop(node: DocumentNode, place: ItemPlace): readonly string[] {
    const { styles } = place;
    const { attrs } = node;
    switch (node.type) {
      case 'logo': {
        const href = textAttr(attrs, 'href') || styles.website;
        const width = numberAttr(attrs, 'width') ?? styles.logoWidth;
        if (styles.logo === '') return this.text(node, place);
        return this.picture(node, place, { src: styles.logo, alt: styles.logoAlt || styles.company, href, width });
      }
      case 'video': {
        const width = pixelsOf(attrs?.width, place.width);
        const radius = numberAttr(attrs, 'radius') ?? 8;
        const [src, alt, href] = [textAttr(attrs, 'src'), textAttr(attrs, 'alt'), textAttr(attrs, 'href')];
        return this.picture(node, place, { src, alt, href, width, 'border-radius': radius });
      }
      case 'countdown': {
        const image = countdownImage(node, place);
        return image === undefined ? [] : this.picture(node, place, { ...image, 'border-radius': 8 });
      }
      case 'product':
        return this.product(node, place);
      default:
        return this.text(node, place);
    }
  }

  /** Text, and what has no element of its own. */
  private text(node: DocumentNode, place: ItemPlace): readonly string[] {
    const { styles, palette } = place;
    const alignment = alignmentOf(node, place);
    const html = withoutMjml(this.renderer.block(node, { ...place, alignment }));
    if (html === '') return [];
    const values = {
      align: alignment === 'left' ? undefined : alignment,
      color: palette.text === styles.text ? undefined : palette.text,
      padding: padding(place, 0),
    };
    return [mjmlTag('mj-text', values, html)];
  }

  private button(node: DocumentNode, place: ItemPlace): string {
    const look = buttonLook(node, place);
    const { font, vertical, horizontal, radius, main, text } = buttonFace(look, place);
    const values = {
      href: look.href,
      align: alignmentOf(node, place),
      'background-color': look.isOutline ? 'transparent' : main,
      color: text,
      border: `1px solid ${main}`,
      'border-radius': radius,
      'font-size': font,
      'line-height': Math.round(font * 1.3),
      'inner-padding': `${vertical}px ${horizontal}px`,
      width: look.isWide ? '100%' : undefined,
      padding: padding(place, spaceBelow(node, place, 24)),
    };
    return mjmlTag('mj-button', values, look.label === '' ? '&#160;' : look.label);
  }

  private image(node: DocumentNode, place: ItemPlace): readonly string[] {
    const { attrs } = node;
    return this.picture(node, place, {
      src: textAttr(attrs, 'src'),
      alt: textAttr(attrs, 'alt'),
      href: textAttr(attrs, 'href'),
      width: attrs?.fullWidth === true ? undefined : pixelsOf(attrs?.width, place.width),
      'border-radius': numberAttr(attrs, 'radius'),
    });
  }

  private picture(node: DocumentNode, place: ItemPlace, values: MjmlValues): readonly string[] {
    const { src, alt = '', ...more } = values;
    if (src === undefined || src === '') return [];
    const around = { align: alignmentOf(node, place), padding: padding(place, spaceBelow(node, place, 24)) };
    return [mjmlTag('mj-image', { src, alt, ...more, ...around })];
  }

  private divider(node: DocumentNode, place: ItemPlace): string {
    const { attrs } = node;
    return mjmlTag('mj-divider', {
      'border-color': textAttr(attrs, 'color') || place.palette.line,
      'border-style': textAttr(attrs, 'line') || 'solid',
      'border-width': numberAttr(attrs, 'thickness') ?? 1,
      width: `${numberAttr(attrs, 'width') ?? 100}%`,
      padding: padding(place, spaceBelow(node, place, 24), place.isFirst ? 0 : 8),
    });
  }

  private table(node: DocumentNode, place: ItemPlace): string {
    const { styles, palette } = place;
    const size = numberAttr(node.attrs, 'size');
    const values = {
      color: palette.text === styles.text ? undefined : palette.text,
      'font-size': size,
      'line-height': size === undefined ? undefined : Math.round(size * styles.lineHeight),
      padding: padding(place, spaceBelow(node, place, styles.fontSize)),
    };
    return mjmlTag('mj-table', values, withoutMjml(tableRows(node, place, this.renderer.inner)));
  }

  private social(node: DocumentNode, place: ItemPlace): readonly string[] {
    const look = textAttr(node.attrs, 'look') || 'dark';
    if (look === 'text') return this.text(node, place);
    const size = numberAttr(node.attrs, 'size') ?? 28;
    const links = labelledItems(node).flatMap(({ network, href }) =>
      network === undefined
        ? []
        : mjmlTag(
            'mj-social-element',
            {
              name: mjmlNetworks[network] ?? (sharing.has(network) ? `${network}-noshare` : network),
              href: href ?? '#',
              src: place.assets.social(network, look),
              alt: networkNames[network],
              'background-color': 'transparent',
              padding: '2px 6px',
            },
            '',
          ),
    );
    if (links.length === 0) return [];
    const values = {
      align: alignmentOf(node, place),
      'icon-size': size,
      padding: padding(place, spaceBelow(node, place, 24)),
    };
    return [mjmlTag('mj-social', values, links.join(''))];
  }

  private menu(node: DocumentNode, place: ItemPlace): readonly string[] {
    const { styles, palette } = place;
    const look = {
      color: textAttr(node.attrs, 'color') || palette.heading,
      'font-size': numberAttr(node.attrs, 'size') ?? styles.fontSize - 1,
      'font-weight': '500',
      'text-transform': 'none',
      padding: '4px 10px',
    };
    const links = labelledItems(node).flatMap(({ label, href }) =>
      label === undefined ? [] : mjmlTag('mj-navbar-link', { href: href ?? '#', ...look }, escaped(label)),
    );
    if (links.length === 0) return [];
    const around = { align: alignmentOf(node, place), padding: padding(place, spaceBelow(node, place, 24)) };
    return [mjmlTag('mj-navbar', around, links.join(''))];
  }

  private raw(node: DocumentNode, place: ItemPlace): readonly string[] {
    const html = textAttr(node.attrs, 'html');
    if (html === '') return [];
    // A column is a table, and this is one of its rows.
    const style = `padding:${padding(place, 0) ?? '0'}`;
    return [mjmlTag('mj-raw', {}, `<tr><td style="${style}">${withoutMjml(html)}</td></tr>`)];
  }

  /** The pieces of a product, one below the other. */
  private product({ attrs }: DocumentNode, place: ItemPlace): readonly string[] {
    const of = (name: string): string => textAttr(attrs, name);
    const within = { ...place, alignment: of('alignment') || place.alignment };
    const struck = of('oldPrice') === '' ? [] : [textOf(' '), textOf(of('oldPrice'), 'strike')];
    const words = (...content: readonly DocumentNode[]): DocumentNode => ({
      type: 'paragraph',
      attrs: { space: 8 },
      content,
    });
    const pieces: DocumentNode[] = [
      {
        type: 'image',
        attrs: { src: of('image'), alt: of('alt') || of('title'), href: of('href'), radius: 8, space: 14 },
      },
      ...(of('title') === '' ? [] : [words(textOf(of('title'), 'bold'))]),
      ...(of('text') === '' ? [] : [words(textOf(of('text')))]),
      ...(of('price') === '' ? [] : [words(textOf(of('price'), 'bold'), ...struck)]),
      ...(of('button') === ''
        ? []
        : [{ type: 'button', attrs: { href: of('href'), size: 'small' }, content: [textOf(of('button'))] }]),
    ];
    return this.items(pieces, within);
  }
}

function textOf(text: string, mark?: string): DocumentNode {
  return mark === undefined ? { type: 'text', text } : { type: 'text', text, marks: [{ type: mark }] };
}

function padding({ inset, isFirst, isLast }: ItemPlace, below: number, above = 0): string | undefined {
  const [top, bottom] = [above + (isFirst ? inset : 0), below + (isLast ? inset : 0)];
  return inset === 0 && top === 0 && bottom === 0 ? undefined : `${top}px ${inset}px ${bottom}px`;
}

/** The tags of a condition or of a list; undefined if its blocks are for everybody. */
export function tagsAround({ type, attrs }: DocumentNode): readonly [begin: string, end: string] | undefined {
  if (type === 'conditional') {
    const rule = attrs?.rule as Rule | undefined;
    return rule === undefined ? undefined : [raw(`{{#if ${writtenCondition(rule)}}}`), raw('{{/if}}')];
  }
  const list = textAttr(attrs, 'list');
  return /^\w[\w.]*$/.test(list) ? [raw(`{{#each ${list}}}`), raw('{{/each}}')] : undefined;
}

function raw(text: string): string {
  return mjmlTag('mj-raw', {}, text);
}
