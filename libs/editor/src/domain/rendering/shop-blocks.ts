import { DocumentNode } from '../document/document-node.js';
import { fontStack } from '../styles/team-styles.js';
import {
  alignmentOf,
  boxed,
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
import { buttonHtml, pictureHtml } from './objects.js';
import { gap, spaced } from './text-blocks.js';

interface Labelled {
  readonly label?: string;
  readonly href?: string;
  readonly network?: string;
}

export const networkNames: Readonly<Record<string, string>> = {
  bluesky: 'Bluesky',
  discord: 'Discord',
  facebook: 'Facebook',
  github: 'GitHub',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  mastodon: 'Mastodon',
  pinterest: 'Pinterest',
  reddit: 'Reddit',
  rss: 'RSS',
  threads: 'Threads',
  tiktok: 'TikTok',
  website: 'Website',
  whatsapp: 'WhatsApp',
  x: 'X',
  youtube: 'YouTube',
};

export function labelledItems({ attrs }: DocumentNode): readonly Labelled[] {
  const items = attrs?.links ?? attrs?.items;
  return Array.isArray(items) ? (items as readonly Labelled[]) : [];
}

export function social(node: DocumentNode, place: BlockPlace): string {
  const { attrs } = node;
  const look = textAttr(attrs, 'look') || 'dark';
  const size = numberAttr(attrs, 'size') ?? 28;
  const items = labelledItems(node).filter(({ network }) => network !== undefined);
  if (items.length === 0) return '';
  if (look === 'text')
    return linksInRow(
      items.map(({ network, href }) => ({ label: networkNames[network as string], href })),
      ' ',
      node,
      place,
    );
  const links = items.map(({ network = '', href = '#' }) => {
    const name = networkNames[network] ?? network;
    const style = css({
      display: 'inline-block',
      width: size,
      height: size,
      border: 0,
      'vertical-align': 'middle',
      'font-size': 12,
      color: place.palette.muted,
    });
    const img = `<img src="${escaped(place.assets.social(network, look))}" alt="${escaped(name)}" width="${size}" height="${size}" style="${style}">`;
    const padding = alignmentOf(node, place) === 'left' ? '2px 12px 2px 0' : '2px 6px';
    return `<a href="${escaped(href)}" style="display:inline-block;padding:${padding};text-decoration:none">${img}</a>`;
  });
  return boxed(links.join(''), alignmentOf(node, place), spaceBelow(node, place, 24));
}

export function menu(node: DocumentNode, place: BlockPlace): string {
  const items = labelledItems(node).filter(({ label }) => label !== undefined);
  return items.length === 0 ? '' : linksInRow(items, textAttr(node.attrs, 'separator'), node, place);
}

function linksInRow(items: readonly Labelled[], separator: string, node: DocumentNode, place: BlockPlace): string {
  const { palette, styles, hasDark } = place;
  const color = textAttr(node.attrs, 'color');
  const size = numberAttr(node.attrs, 'size') ?? styles.fontSize - 1;
  const style = css({
    display: 'inline-block',
    padding: alignmentOf(node, place) === 'left' ? '4px 20px 4px 0' : '4px 10px',
    'font-family': fontStack(styles.font),
    'font-size': size,
    'line-height': Math.round(size * 1.5),
    'font-weight': '500',
    color: color === '' ? palette.heading : color,
    'text-decoration': 'none',
  });
  const between =
    separator.trim() === ''
      ? ''
      : `<span${looks(css({ color: palette.muted, 'font-size': size }), hasDark && 'e-m')}>${escaped(separator)}</span>`;
  const links = items.map(
    ({ label = '', href = '#' }) =>
      `<a href="${escaped(href)}"${looks(style, hasDark && color === '' && 'e-h')}>${escaped(label)}</a>`,
  );
  return boxed(links.join(between), alignmentOf(node, place), spaceBelow(node, place, 24));
}

export function product(node: DocumentNode, place: BlockPlace): string {
  const { attrs } = node;
  const { styles, palette, hasDark } = place;
  const isSide = textAttr(attrs, 'layout') === 'side' && place.width >= 320;
  const alignment = textAttr(attrs, 'alignment') || (isSide ? 'left' : place.alignment);
  const [title, text, price, old] = ['title', 'text', 'price', 'oldPrice'].map((name) => textAttr(attrs, name)) as [
    string,
    string,
    string,
    string,
  ];
  const [href, src, label] = [textAttr(attrs, 'href'), textAttr(attrs, 'image'), textAttr(attrs, 'button')];
  const pictureWidth = isSide ? Math.round(place.width * 0.38) : place.width;
  const picture =
    src === ''
      ? ''
      : pictureHtml({ src, alt: textAttr(attrs, 'alt') || title, href, width: pictureWidth, radius: 8 }, place);
  const line = (content: string, size: number, color: string, weight: string, space: number, role: string): string =>
    content === ''
      ? ''
      : `<p${looks(css({ margin: `0 0 ${space}px`, 'font-size': size, 'line-height': Math.round(size * 1.4), color, 'font-weight': weight }), hasDark && role)}>${content}</p>`;
  const struck =
    old === ''
      ? ''
      : ` <s${looks(css({ color: palette.muted, 'font-weight': '400' }), hasDark && 'e-m')}>${escaped(old)}</s>`;
  const words =
    line(escaped(title), styles.fontSize + 1, palette.heading, '600', 4, 'e-h') +
    line(escaped(text), styles.fontSize - 1, palette.muted, '400', 8, 'e-m') +
    line(
      price === '' ? '' : escaped(price) + struck,
      styles.fontSize,
      palette.text,
      '600',
      label === '' ? 0 : 12,
      'e-t',
    ) +
    (label === ''
      ? ''
      : buttonHtml(
          {
            label: escaped(label),
            plain: label,
            href,
            color: '',
            background: '',
            radius: undefined,
            size: 'small',
            isWide: false,
            isOutline: styles.buttonOutline,
          },
          place,
        ));
  const type = typography({ ...place, alignment }, fontStack(styles.font));
  const space = spaceBelow(node, place, 24);
  if (isSide && picture !== '') {
    const cells = `<td width="${pictureWidth}" valign="top" class="e-c" style="padding:0 20px 0 0;vertical-align:top">${picture}</td><td valign="middle" class="e-c" style="${type};vertical-align:middle">${words}</td>`;
    return spaced(`${layout(' width="100%"')}<tr>${cells}</tr></table>`, space);
  }
  const above = picture === '' ? '' : `${picture}${gap(14)}`;
  return boxed(
    `${layout(' width="100%"')}<tr><td align="${alignment}" style="${type};text-align:${alignment}">${above}${words}</td></tr></table>`,
    alignment,
    space,
  );
}

/** The picture of a countdown; undefined if it has no end. */
export function countdownImage(
  { attrs }: DocumentNode,
  place: BlockPlace,
): { readonly src: string; readonly alt: string; readonly width: number } | undefined {
  const until = textAttr(attrs, 'until');
  if (until === '') return undefined;
  const look = {
    until,
    background: textAttr(attrs, 'background') || place.palette.content,
    color: textAttr(attrs, 'color') || place.palette.heading,
    language: textAttr(attrs, 'language') || 'en',
  };
  const alt = textAttr(attrs, 'expired') || `${until.slice(0, 16).replace('T', ' ')} UTC`;
  return { src: place.assets.countdown(look), alt, width: Math.min(360, place.width) };
}

export function countdown(node: DocumentNode, place: BlockPlace): string {
  const image = countdownImage(node, place);
  if (image === undefined) return '';
  return boxed(
    pictureHtml({ ...image, href: '', radius: 8 }, place),
    alignmentOf(node, place),
    spaceBelow(node, place, 24),
  );
}
