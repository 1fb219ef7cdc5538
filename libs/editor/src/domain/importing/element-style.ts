import { colorOf } from '../document/attribute.js';
import type { HtmlElement } from './html-tree.js';

const maxStyle = 4_000;

/** The declarations of an inline style, with names in lower case. */
export function styleOf({ attrs }: HtmlElement): ReadonlyMap<string, string> {
  const style = new Map<string, string>();
  for (const declaration of (attrs.get('style') ?? '').slice(0, maxStyle).split(';')) {
    const colon = declaration.indexOf(':');
    if (colon > 0) {
      const value = declaration.slice(colon + 1).replace(/!important/i, '');
      style.set(declaration.slice(0, colon).trim().toLowerCase(), value.trim().toLowerCase());
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
  const color = colorOf(given);
  return color === undefined || color === '#ffffff' ? undefined : color;
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
