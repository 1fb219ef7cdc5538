import type { DocumentNode } from '../document/document-node.js';
import { safeSource } from '../document/safe-url.js';
import { socialNetworks } from '../document/schema.js';
import { block, HtmlBlocks } from './html-blocks.js';
import { HtmlElement, isNamed, textOf } from './html-tree.js';
import type { MjmlAttributes } from './mjml-attributes.js';

const maxLinks = 20;
const maxItems = 12;
const maxLabel = 100;
const maxAlt = 500;
const otherNames: Readonly<Record<string, string>> = { twitter: 'x', web: 'website' };

/** Makes blocks of the elements of MJML that have no others in them. */
export class MjmlBlocks {
  constructor(
    private readonly attributes: MjmlAttributes,
    private readonly html: HtmlBlocks,
  ) {}

  button(element: HtmlElement): readonly DocumentNode[] {
    const label = labelOf(element);
    if (label === '') return [];
    const attrs = {
      href: this.href(element),
      alignment: this.attributes.alignment(element, 'center'),
      fullWidth: this.attributes.of(element, 'width') === '100%' ? true : undefined,
    };
    return [block('button', attrs, [{ type: 'text', text: label }])];
  }

  image(element: HtmlElement): readonly DocumentNode[] {
    const { attributes } = this;
    const width = attributes.pixels(element, 'width');
    // A picture of one pixel counts openings.
    if ((width ?? NaN) <= 2 || (attributes.pixels(element, 'height') ?? NaN) <= 2) return [];
    const src = safeSource(attributes.of(element, 'src') ?? '');
    if (src === undefined || src === '') {
      this.html.notes.add('An image without an address on the web was left out.');
      return [];
    }
    const alt = (attributes.of(element, 'alt') ?? '').slice(0, maxAlt);
    return [
      block('image', {
        src,
        alt: alt === '' ? undefined : alt,
        width,
        alignment: attributes.alignment(element, 'center'),
        href: this.href(element),
        radius: attributes.pixels(element, 'border-radius') || undefined,
      }),
    ];
  }

  divider(element: HtmlElement): readonly DocumentNode[] {
    const { attributes } = this;
    const line = attributes.of(element, 'border-style');
    const thickness = attributes.pixels(element, 'border-width') ?? 1;
    const width = Number(/^(\d{1,2})%$/.exec(attributes.of(element, 'width') ?? '')?.[1] ?? 100);
    return [
      block('horizontalRule', {
        line: line === 'dashed' || line === 'dotted' ? line : undefined,
        thickness: thickness > 1 ? thickness : undefined,
        width: width < 100 ? width : undefined,
      }),
    ];
  }

  spacer(element: HtmlElement): readonly DocumentNode[] {
    return [block('spacer', { height: this.attributes.pixels(element, 'height') ?? 20 })];
  }

  social(element: HtmlElement): readonly DocumentNode[] {
    const links = this.parts(element, 'mj-social-element', maxLinks).flatMap((part) => {
      const href = this.href(part);
      return href === undefined ? [] : [{ network: this.network(part), href }];
    });
    const alignment = this.attributes.alignment(element, 'center');
    return links.length === 0 ? [] : [block('social', { links, alignment })];
  }

  menu(element: HtmlElement): readonly DocumentNode[] {
    const base = this.attributes.of(element, 'base-url') ?? '';
    const items = this.parts(element, 'mj-navbar-link', maxItems).flatMap((part) => {
      const label = labelOf(part).slice(0, maxLabel);
      return label === '' ? [] : [{ label, href: this.href(part, base) }];
    });
    const alignment = this.attributes.alignment(element, 'center');
    return items.length === 0 ? [] : [block('menu', { items, alignment })];
  }

  private parts({ name, children }: HtmlElement, partName: string, most: number): readonly HtmlElement[] {
    const parts = children.filter((child): child is HtmlElement => isNamed(child, partName));
    if (parts.length > most)
      this.html.notes.add(`\`<${name}>\` may have at most ${most} links. The others were left out.`);
    return parts.slice(0, most);
  }

  private network(part: HtmlElement): string {
    const given = (this.attributes.of(part, 'name') ?? '')
      .trim()
      .toLowerCase()
      .replace(/-noshare$/, '');
    const name = Object.hasOwn(otherNames, given) ? (otherNames[given] as string) : given;
    if (socialNetworks.some((known) => known === name)) return name;
    this.html.notes.add('Links to networks without an icon are shown as a website.');
    return 'website';
  }

  private href(element: HtmlElement, base = ''): string | undefined {
    const given = this.attributes.of(element, 'href') ?? '';
    // Many write whole addresses beside a base, which breaks them in MJML itself.
    return given === '' ? undefined : this.html.href(/^[a-z]{1,20}:/i.test(given) ? given : base + given);
  }
}

function labelOf(element: HtmlElement): string {
  return textOf(element).replace(/\s+/g, ' ').trim();
}
