import { escapedHtml } from '#kernel';
import { Attributes, DocumentNode } from '../document/document-node.js';
import { Palette, TeamStyles } from '../styles/team-styles.js';

/** Background under a picture that has not been loaded, so that light text on it can be read. */
export const underPicture = '#3a3a44';

/** Size of the text in pixels, and the padding above and beside it. */
export const buttonSizes: Readonly<Record<string, readonly [font: number, vertical: number, horizontal: number]>> = {
  small: [14, 8, 16],
  medium: [15, 12, 24],
  large: [17, 15, 32],
};

/** Addresses of images that the service makes. */
export interface RenderedAssets {
  social(network: string, look: string): string;
  countdown(look: {
    readonly until: string;
    readonly background: string;
    readonly color: string;
    readonly language: string;
  }): string;
}

/** What is known at one place of a document while it is rendered. */
export interface BlockPlace {
  readonly styles: TeamStyles;
  readonly assets: RenderedAssets;
  /** Colors that apply here: those of the styles, or what can be read on the background of a section. */
  readonly palette: Palette;
  /** Whether colors change with the dark palette here. */
  readonly hasDark: boolean;
  /** Pixels from edge to edge. */
  readonly width: number;
  readonly alignment: string;
  /** Outlook cannot draw shapes within shapes. */
  readonly isInShape: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Rules for the dark palette that single blocks need. */
  readonly darkRules: string[];
}

/** `{{#` and the like in a text would be read as the beginning of a condition. */
const sectionBraces = /\{\{(?=#|\/if\}|\/each\}|else\})/g;

/** Text for html and for attributes, in which merge tags stay what they are. */
export function escaped(text: string): string {
  const html = escapedHtml(text);
  return html.includes('{{') ? html.replace(sectionBraces, '&#123;&#123;') : html;
}

export type Css = Readonly<Record<string, string | number | undefined | false>>;

/** Declarations without those that are not set; numbers are pixels. `more` is a style that was checked. */
export function css(declarations: Css, more?: unknown): string {
  let text = '';
  for (const name in declarations) {
    const value = declarations[name];
    if (value === undefined || value === false || value === '') continue;
    text += `${text === '' ? '' : ';'}${name}:${typeof value === 'number' ? (value === 0 ? '0' : `${value}px`) : value}`;
  }
  if (typeof more === 'string' && more !== '') text += `${text === '' ? '' : ';'}${escaped(more)}`;
  return text;
}

/** The attributes ` style="…" class="…"`, each only if there is something in it. */
export function looks(style: string, ...roles: readonly (string | false)[]): string {
  const names = roles.filter((role) => role !== false && role !== '').join(' ');
  return `${names === '' ? '' : ` class="${names}"`}${style === '' ? '' : ` style="${style}"`}`;
}

/** The opening tag of a table for layout. */
export function layout(attributes = '', style = '', ...roles: readonly (string | false)[]): string {
  return `<table role="presentation" border="0" cellpadding="0" cellspacing="0"${attributes}${looks(style, ...roles)}>`;
}

/** A table with one cell, below which there is space. */
export function boxed(content: string, alignment: string, space: number, more = ''): string {
  const style = css({ padding: space === 0 ? 0 : `0 0 ${space}px`, 'text-align': alignment });
  return `${layout(' width="100%"')}<tr><td align="${alignment}" style="${style}"${more}>${content}</td></tr></table>`;
}

export function textAttr(attrs: Attributes | undefined, name: string): string {
  const value = attrs?.[name];
  return typeof value === 'string' ? value : '';
}

export function numberAttr(attrs: Attributes | undefined, name: string): number | undefined {
  const value = attrs?.[name];
  return typeof value === 'number' ? value : undefined;
}

/** Pixels below a block; none below the last one, since what is around it has a padding. */
export function spaceBelow({ attrs }: DocumentNode, { isLast }: BlockPlace, usual: number): number {
  return numberAttr(attrs, 'space') ?? (isLast ? 0 : usual);
}

export function alignmentOf({ attrs }: DocumentNode, place: BlockPlace): string {
  const own = textAttr(attrs, 'alignment');
  return own === '' ? place.alignment : own;
}

/** What text looks like from here on. Each cell says it again: tables do not pass it on in every mail program. */
export function typography(
  { styles, palette, alignment }: BlockPlace,
  stack: string,
  size = styles.fontSize,
  color = palette.text,
): string {
  return css({
    'font-family': stack,
    'font-size': size,
    'line-height': Math.round(size * styles.lineHeight),
    color,
    'text-align': alignment === 'left' ? undefined : alignment,
  });
}

/** For Outlook on Windows alone, which draws with Word and needs tables with widths, and for all others. */
export function forOutlook(html: string): string {
  return `<!--[if mso]>${html}<![endif]-->`;
}

export function forOthers(html: string): string {
  return `<!--[if !mso]><!-->${html}<!--<![endif]-->`;
}
