import { colorOf } from '../document/attribute.js';
import { safeSource } from '../document/safe-url.js';
import type { HtmlElement } from './html-tree.js';

const maxStyle = 4_000;
const addressInStyle = /url\(\s*["']?([^"')]*)["']?\s*\)?/;

export const inlineNames = new Set(
  'a abbr acronym b bdi bdo big br cite code del em font i ins kbd label mark nobr q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
/** What no block can do: it is kept as html. */
export const rawNames = new Set('audio button details dl fieldset form iframe map math object svg video'.split(' '));
export const marksByName: Readonly<Record<string, string>> = {
  u: 'underline',
  ins: 'underline',
  s: 'strike',
  strike: 'strike',
  del: 'strike',
  code: 'code',
  kbd: 'code',
  samp: 'code',
  tt: 'code',
  sup: 'sup',
  sub: 'sub',
};

/** The declarations of an inline style in lower case, apart from addresses. */
export function styleOf({ attrs }: HtmlElement): ReadonlyMap<string, string> {
  const style = new Map<string, string>();
  for (const declaration of (attrs.get('style') ?? '').slice(0, maxStyle).split(';')) {
    const colon = declaration.indexOf(':');
    if (colon > 0) {
      const value = declaration.slice(colon + 1).replace(/!important/i, '');
      const name = declaration.slice(0, colon).trim().toLowerCase();
      style.set(name, value.includes('url(') ? value.trim() : value.trim().toLowerCase());
    }
  }
  return style;
}

export function isHidden(element: HtmlElement): boolean {
  const style = styleOf(element);
  return (
    element.attrs.has('hidden') || style.get('display') === 'none' || /^0(?:px)?$/.test(style.get('max-height') ?? '')
  );
}

/** `left`, `center` or `right`; undefined if the element says nothing. */
export function alignmentOf(element: HtmlElement): string | undefined {
  const given = styleOf(element).get('text-align') ?? element.attrs.get('align')?.toLowerCase();
  if (element.name === 'center') return 'center';
  return given === 'left' || given === 'center' || given === 'right' ? given : undefined;
}

/** A color of its own behind the element. White is that of the content. */
export function backgroundOf(element: HtmlElement): string | undefined {
  const style = styleOf(element);
  const given = element.attrs.get('bgcolor') ?? style.get('background-color') ?? style.get('background') ?? '';
  const color = colorOf(given.replace(addressInStyle, '')) ?? colorOf(/^\S+/.exec(given)?.[0] ?? '');
  return color === undefined || color === '#ffffff' ? undefined : color;
}

/** The address of an image behind the element, or an empty string. */
export function backgroundImageOf(element: HtmlElement): string {
  const style = styleOf(element);
  const given = addressInStyle.exec(style.get('background-image') ?? style.get('background') ?? '');
  return safeSource(given?.[1] ?? element.attrs.get('background') ?? '') ?? '';
}

/** A link that looks like a button. */
export function isButton(element: HtmlElement): boolean {
  if (element.name !== 'a') return false;
  const style = styleOf(element);
  const isBox = [...style.keys()].some((name) => /^(?:background|border)(?:-color)?$/.test(name));
  const isPadded = [...style.keys()].some((name) => name.startsWith('padding')) && style.get('display') !== 'inline';
  return (isBox && isPadded) || /(?:^|[\s_-])(?:button|btn)(?:$|[\s_-])/i.test(element.attrs.get('class') ?? '');
}

export function isBold(element: HtmlElement): boolean {
  const weight = styleOf(element).get('font-weight') ?? '';
  return ['b', 'strong'].includes(element.name) || weight === 'bold' || Number(weight) >= 600;
}

export function isItalic(element: HtmlElement): boolean {
  return ['i', 'em'].includes(element.name) || styleOf(element).get('font-style') === 'italic';
}
