import { colorOf } from '../document/attribute.js';
import type { HtmlElement } from './html-tree.js';

type Values = Map<string, string>;

/** Longer lists of classes are cut. */
const maxClasses = 1_000;

/**
 * What `mj-attributes` says about elements. It is looked up where it is needed: to give each element a copy would take time for each
 * attribute of each element.
 */
export class MjmlAttributes {
  private readonly ofClasses = new Map<string, Values>();
  private readonly ofNames = new Map<string, Values>();

  define({ children }: HtmlElement): void {
    for (const child of children) {
      if (typeof child === 'string') continue;
      const isClass = child.name === 'mj-class';
      const known = isClass ? this.ofClasses : this.ofNames;
      const key = isClass ? (child.attrs.get('name') ?? '') : child.name;
      const values: Values = known.get(key) ?? new Map<string, string>();
      for (const [name, value] of child.attrs) values.set(name, value);
      known.set(key, values);
    }
  }

  /** The value that the element or one of its classes has. */
  own(element: HtmlElement, name: string): string | undefined {
    const given = element.attrs.get(name);
    const classes = element.attrs.get('mj-class');
    if (given !== undefined || classes === undefined) return given;
    return classes
      .slice(0, maxClasses)
      .split(/\s+/)
      .reduce<string | undefined>((value, each) => this.ofClasses.get(each)?.get(name) ?? value, undefined);
  }

  /** The value of the element, of a class, of all elements of its name, or of all elements. */
  of(element: HtmlElement, name: string): string | undefined {
    return (
      this.own(element, name) ?? this.ofNames.get(element.name)?.get(name) ?? this.ofNames.get('mj-all')?.get(name)
    );
  }

  pixels(element: HtmlElement, name: string): number | undefined {
    return pixelsOf(this.of(element, name) ?? '');
  }

  /** `left`, `center`, `right` or `justify`. */
  alignment(element: HtmlElement, usual?: string): string | undefined {
    const given = this.of(element, 'align')?.trim().toLowerCase();
    return given !== undefined && ['left', 'center', 'right', 'justify'].includes(given) ? given : usual;
  }

  /** A color that is meant for this element. White, and what all elements have, comes from the styles of the team. */
  background(element: HtmlElement, name = 'background-color'): string | undefined {
    const color = colorOf(this.own(element, name) ?? '');
    return color === '#ffffff' ? undefined : color;
  }

  border(element: HtmlElement, name = 'border'): { borderColor?: string; borderWidth?: number } {
    const [width = '', line, ...color] = (this.own(element, name) ?? '').trim().split(/\s+/, 9);
    const [borderWidth, borderColor] = [pixelsOf(width), colorOf(color.join(' '))];
    return line === undefined || borderColor === undefined || !borderWidth ? {} : { borderColor, borderWidth };
  }

  /** Without zeros: texts of MJML have paddings of their own, and ours have none. */
  paddings(element: HtmlElement): Readonly<Record<string, number | undefined>> {
    const all = (this.own(element, 'padding') ?? '').trim().split(/\s+/, 4);
    const [top = all[0], right = top, bottom = top, left = right] = all;
    const side = (name: string, value = ''): number | undefined =>
      pixelsOf(this.own(element, `padding-${name}`) ?? value) || undefined;
    return {
      paddingTop: side('top', top),
      paddingRight: side('right', right),
      paddingBottom: side('bottom', bottom),
      paddingLeft: side('left', left),
    };
  }
}

function pixelsOf(given: string): number | undefined {
  const digits = /^\s*(\d{1,4})(?:\.\d{1,9})?(?:px)?\s*$/i.exec(given)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
