import { DocumentNode } from '../document/document-node.js';
import { readableOn } from '../styles/colors.js';
import { fontStack } from '../styles/team-styles.js';
import { inlineHtml } from './inline.js';
import { plainInline } from './plain-inline.js';
import {
  buttonSizes,
  alignmentOf,
  boxed,
  css,
  escaped,
  forOthers,
  forOutlook,
  layout,
  looks,
  numberAttr,
  BlockPlace,
  spaceBelow,
  textAttr,
  underPicture,
} from './markup.js';
import { gap, spaced } from './text-blocks.js';

export function button(node: DocumentNode, place: BlockPlace): string {
  const html = buttonHtml(buttonLook(node, place), place);
  return boxed(html, alignmentOf(node, place), spaceBelow(node, place, 24));
}

export function buttonLook({ attrs, content = [] }: DocumentNode, place: BlockPlace): ButtonLook {
  return {
    label: inlineHtml(content, place),
    plain: plainInline(content),
    href: textAttr(attrs, 'href'),
    color: textAttr(attrs, 'color'),
    background: textAttr(attrs, 'background'),
    radius: numberAttr(attrs, 'radius'),
    size: textAttr(attrs, 'size') || 'medium',
    isWide: attrs?.fullWidth === true,
    isOutline: attrs?.outline === true || (place.styles.buttonOutline && attrs?.outline !== false),
    style: attrs?.style,
  };
}

export interface ButtonLook {
  readonly label: string;
  readonly plain: string;
  readonly href: string;
  readonly color: string;
  readonly background: string;
  readonly radius: number | undefined;
  readonly size: string;
  readonly isWide: boolean;
  readonly isOutline: boolean;
  readonly style?: unknown;
}

interface ButtonFace {
  readonly font: number;
  readonly vertical: number;
  readonly horizontal: number;
  readonly radius: number;
  readonly main: string;
  readonly text: string;
}

/** Pixels and colors of a button. */
export function buttonFace(look: ButtonLook, { styles, palette }: BlockPlace): ButtonFace {
  const [font, vertical, horizontal] = buttonSizes[look.size] as (typeof buttonSizes)['medium'];
  const main = look.background === '' ? palette.button : look.background;
  const text = look.isOutline
    ? look.color || main
    : look.color || (look.background === '' ? palette.buttonText : readableOn(main, '#ffffff', 3));
  return { font, vertical, horizontal, radius: look.radius ?? styles.buttonRadius, main, text };
}

/** Outlook on Windows gets a shape, which has round corners there, and needs a width: it is estimated. */
export function buttonHtml(look: ButtonLook, place: BlockPlace): string {
  const { styles, hasDark, width, isInShape } = place;
  const { font, vertical, horizontal, radius, main, text } = buttonFace(look, place);
  const isUsual = hasDark && look.background === '' && look.color === '';
  const href = escaped(look.href === '' ? '#' : look.href);
  const style = css(
    {
      display: look.isWide ? 'block' : 'inline-block',
      padding: `${vertical}px ${horizontal}px`,
      border: `1px solid ${main}`,
      'border-radius': radius,
      'background-color': look.isOutline ? undefined : main,
      color: text,
      'font-family': fontStack(styles.font),
      'font-size': font,
      'font-weight': '600',
      'line-height': Math.round(font * 1.3),
      'text-align': 'center',
      'text-decoration': 'none',
    },
    look.style,
  );
  const role = isUsual && (look.isOutline ? 'e-o' : 'e-b');
  const anchor = `<a href="${href}"${looks(style, role)}>${look.label === '' ? '&nbsp;' : look.label}</a>`;
  if (isInShape || look.plain.includes('{{')) return anchor;
  const estimate = Math.ceil(look.plain.length * font * 0.58) + 2 * horizontal + 6;
  const wide = look.isWide ? width : Math.min(width, Math.max(60, estimate));
  const height = Math.round(font * 1.3) + 2 * vertical;
  const arc = Math.min(50, Math.round((radius / height) * 100));
  const fill = look.isOutline ? 'fill="false"' : `fillcolor="${main}"`;
  const shape =
    `<v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w="urn:schemas-microsoft-com:office:word" href="${href}" ` +
    `style="height:${height}px;v-text-anchor:middle;width:${wide}px" arcsize="${arc}%" strokecolor="${main}" ${fill}><w:anchorlock/>` +
    `<center style="color:${text};font-family:Arial,sans-serif;font-size:${font}px;font-weight:bold">${escaped(look.plain)}</center></v:roundrect>`;
  return forOutlook(shape) + forOthers(anchor);
}

/** A number of pixels that fits, from pixels or a percentage. */
export function pixelsOf(given: unknown, available: number): number | undefined {
  if (typeof given === 'number') return Math.min(given, available);
  return typeof given === 'string'
    ? Math.round((available * Math.min(100, Number.parseFloat(given))) / 100)
    : undefined;
}

/** Absent without an address: a broken sign would be shown instead. */
export function image(node: DocumentNode, place: BlockPlace): string {
  const { attrs } = node;
  const src = textAttr(attrs, 'src');
  if (src === '') return '';
  const width = attrs?.fullWidth === true ? place.width : pixelsOf(attrs?.width, place.width);
  return boxed(
    pictureHtml(
      { src, alt: textAttr(attrs, 'alt'), href: textAttr(attrs, 'href'), width, radius: numberAttr(attrs, 'radius') },
      place,
    ),
    alignmentOf(node, place),
    spaceBelow(node, place, 24),
  );
}

interface Picture {
  readonly src: string;
  readonly alt: string;
  readonly href: string;
  readonly width: number | undefined;
  readonly radius: number | undefined;
}

export function pictureHtml({ src, alt, href, width, radius }: Picture, place: BlockPlace): string {
  const size = width ?? place.width;
  const style = css({
    display: 'inline-block',
    width: width === undefined ? undefined : '100%',
    'max-width': width === undefined ? '100%' : size,
    height: 'auto',
    border: 0,
    // Room for letters that reach below the line would be a gap below the image.
    'vertical-align': 'top',
    'border-radius': radius,
    'font-size': 14,
    color: place.palette.muted,
  });
  // Without a width the image has its own, at most that of its place; Outlook does not scale it down by itself.
  const tag = `<img src="${escaped(src)}" alt="${escaped(alt)}"${width === undefined ? '' : ` width="${size}"`} style="${style}">`;
  return href === '' ? tag : `<a href="${escaped(href)}" style="text-decoration:none">${tag}</a>`;
}

export function horizontalRule(node: DocumentNode, place: BlockPlace): string {
  const { attrs } = node;
  const color = textAttr(attrs, 'color');
  const width = numberAttr(attrs, 'width') ?? 100;
  const line = `${numberAttr(attrs, 'thickness') ?? 1}px ${textAttr(attrs, 'line') || 'solid'} ${color === '' ? place.palette.line : color}`;
  const cell = `<td style="border-top:${line};font-size:1px;line-height:1px"${place.hasDark && color === '' ? ' class="e-l"' : ''}>&#8202;</td>`;
  const rule = `${layout(` width="${width}%"${width === 100 ? '' : ' align="center"'}`, width === 100 ? '' : 'margin:0 auto')}<tr>${cell}</tr></table>`;
  return gap(place.isFirst ? 1 : 8) + spaced(rule, spaceBelow(node, place, 24));
}

export function spacer({ attrs }: DocumentNode): string {
  return gap(numberAttr(attrs, 'height') ?? 24);
}

export function logo(node: DocumentNode, place: BlockPlace): string {
  const { styles, palette, hasDark } = place;
  const { attrs } = node;
  const name = styles.logoAlt || styles.company;
  const href = textAttr(attrs, 'href') || styles.website;
  const space = spaceBelow(node, place, 24);
  if (styles.logo !== '') {
    const width = Math.min(numberAttr(attrs, 'width') ?? styles.logoWidth, place.width);
    return boxed(
      pictureHtml({ src: styles.logo, alt: name, href, width, radius: undefined }, place),
      alignmentOf(node, place),
      space,
    );
  }
  if (name === '') return '';
  const text = css({
    'font-family': fontStack(styles.headingFont),
    'font-size': 20,
    'font-weight': '700',
    color: palette.heading,
    'text-decoration': 'none',
  });
  const role = hasDark && 'e-h';
  const html =
    href === ''
      ? `<span${looks(text, role)}>${escaped(name)}</span>`
      : `<a href="${escaped(href)}"${looks(text, role)}>${escaped(name)}</a>`;
  return boxed(html, alignmentOf(node, place), space);
}

/** The picture lies behind a sign to play it, which is a link; without images the sign and the words remain. */
export function video(node: DocumentNode, place: BlockPlace): string {
  const { attrs } = node;
  const [href, src] = [textAttr(attrs, 'href'), textAttr(attrs, 'src')];
  if (src === '') return '';
  const width = pixelsOf(attrs?.width, place.width) ?? place.width;
  const height = Math.round((width * 9) / 16);
  const alt = textAttr(attrs, 'alt') || '&#9654;';
  const target = escaped(href === '' ? '#' : href);
  const sign = css({
    display: 'inline-block',
    width: 72,
    height: 52,
    'line-height': 52,
    'border-radius': 12,
    'background-color': '#16171c',
    color: '#ffffff',
    'font-size': 22,
    'text-align': 'center',
  });
  const around = css({
    display: 'block',
    padding: `${Math.max(8, Math.round((height - 52) / 2))}px 0`,
    'text-decoration': 'none',
    'text-align': 'center',
  });
  const label = textAttr(attrs, 'alt') === '' ? 'Play' : alt;
  const link = `<a href="${target}" aria-label="${escaped(label)}" title="${escaped(label)}" style="${around}"><span style="${sign}">&#9654;</span></a>`;
  const picture = escaped(src);
  const cell = css({
    'background-color': underPicture,
    'background-image': `url('${picture.replace(/['()]/g, '')}')`,
    'background-size': 'cover',
    'background-position': 'center',
    'border-radius': numberAttr(attrs, 'radius') ?? 8,
    'text-align': 'center',
  });
  const shape =
    `<v:rect xmlns:v="urn:schemas-microsoft-com:vml" href="${target}" fill="true" stroke="false" style="width:${width}px;height:${height}px">` +
    `<v:fill type="frame" src="${picture}" color="${underPicture}" /><v:textbox inset="0,0,0,0">`;
  const inner = place.isInShape ? link : `${forOutlook(shape)}${link}${forOutlook('</v:textbox></v:rect>')}`;
  const table = `${layout(` width="${width}" align="center"`, `width:100%;max-width:${width}px`)}<tr><td background="${picture}" bgcolor="${underPicture}" style="${cell}">${inner}</td></tr></table>`;
  return boxed(table, alignmentOf(node, place), spaceBelow(node, place, 24));
}
