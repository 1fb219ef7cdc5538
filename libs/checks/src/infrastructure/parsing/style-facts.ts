import { attributeOf, decodeHTML, decodeHTMLAttribute } from '#mime';
import type { Colour, ColouredText, HtmlFacts } from '../../domain/message-facts.js';

/** Of one piece of CSS. What stands behind is not looked at. */
const maxCssLength = 64 * 1024;
/** Gmail leaves out a `style` element above it. */
const maxStyleElement = 16 * 1024;
const maxColours = 50;
const maxSample = 40;
/** Open elements that are remembered. Deeper ones look like the last of them. */
const maxDepth = 200;

/** Signs in CSS of what mail clients leave out. Each takes linear time. */
const signs: readonly (readonly [string, RegExp])[] = [
  ['position', /(?:^|[;{\s])position\s?:\s?(?:absolute|fixed|sticky)/i],
  ['grid', /(?:^|[;{\s])display\s?:\s?(?:inline-)?grid/i],
  ['flex', /(?:^|[;{\s])display\s?:\s?(?:inline-)?flex/i],
  ['variables', /\bvar\(--/i],
  ['animation', /(?:^|[;{\s])animation(?:-name)?\s?:|@keyframes\b/i],
  ['import', /@import\b/i],
  ['background_image', /(?:^|[;{\s])background(?:-image)?\s?:[^;}]{0,300}url\(/i],
  ['calc', /\bcalc\(/i],
];

/** Elements without an end, which hold no text. */
const voids = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);

const black: Colour = [0, 0, 0];
const white: Colour = [255, 255, 255];
const linkBlue: Colour = [0, 0, 238];

/** What an open element looks like. Undefined: neither it nor an element around it says so. */
interface Look {
  readonly name: string;
  readonly text: Colour | undefined;
  readonly background: Colour | undefined;
  /** Hidden text, and text on an image or a gradient, has no contrast that is known here. */
  readonly isUnknown: boolean;
}

/**
 * Follows what text looks like, by the attributes of its elements. Rules of style elements are not applied: where they could set
 * a colour, none is known.
 */
export class StyleReader {
  private readonly features = new Set<string>();
  private readonly colours = new Map<string, ColouredText>();
  private hasColourScheme = false;
  private sheetsSetText = false;
  private sheetsSetBackground = false;
  private readonly looks: Look[] = [{ name: '', text: undefined, background: undefined, isUnknown: false }];

  facts(): Pick<HtmlFacts, 'features' | 'colours' | 'hasColourScheme'> {
    return {
      features: [...this.features],
      colours: [...this.colours.values()],
      hasColourScheme: this.hasColourScheme,
    };
  }

  open(name: string, attributes: string): void {
    this.element(name, attributes);
    const style = attributes.includes('style') ? decoded(attributeOf(attributes, 'style')) : '';
    if (style !== '') this.css(style);
    if (voids.has(name)) return;
    const outer = this.looks.at(-1) as Look;
    if (this.looks.length > maxDepth) return;
    const bgcolor = attributes.includes('bgcolor') ? colourOf(decoded(attributeOf(attributes, 'bgcolor'))) : undefined;
    const background = colourIn(style, 'background') ?? bgcolor ?? outer.background;
    // Links do not inherit the colour of the text around them.
    const ofLink = background === undefined ? undefined : linkBlue;
    const text = colourIn(style, 'color') ?? (name === 'a' ? ofLink : outer.text);
    const isImage = /(?:url|gradient|rgba|var)\(/i.test(style) || /(?:^|;)\s?opacity\s?:/i.test(style);
    const isHidden =
      /(?:^|[;\s])(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|max-height\s?:\s?0)/i.test(style);
    this.looks.push({ name, text, background, isUnknown: outer.isUnknown || isImage || isHidden });
  }

  close(name: string): void {
    const at = this.looks.findLastIndex((look) => look.name === name);
    if (at > 0) this.looks.length = at;
  }

  /** The text of a style element. */
  sheet(css: string): void {
    if (css.length > maxStyleElement) this.features.add('large_style');
    this.sheetsSetText ||= /(?:^|[;{\s])color\s{0,9}:/i.test(css);
    this.sheetsSetBackground ||= /background/i.test(css);
    this.css(css);
  }

  text(raw: string): void {
    const look = this.looks.at(-1) as Look;
    if (look.isUnknown || this.colours.size >= maxColours) return;
    if (look.text === undefined && look.background === undefined) return;
    const text = look.text ?? (this.sheetsSetText ? undefined : black);
    const background = look.background ?? (this.sheetsSetBackground ? undefined : white);
    if (text === undefined || background === undefined) return;
    const key = `${text.join()} ${background.join()}`;
    if (this.colours.has(key)) return;
    const sample = decodeHTML(raw.slice(0, 4 * maxSample))
      .replace(/[\s\u00ad\u034f\u200b-\u200f\u2060\ufeff]+/g, ' ')
      .trim();
    if (sample !== '') this.colours.set(key, { text, background, sample: sample.slice(0, maxSample) });
  }

  private element(name: string, attributes: string): void {
    if (name === 'video' || name === 'audio') this.features.add('video');
    if (name === 'svg') this.features.add('svg');
    if (name === 'img') {
      const [path = ''] = decoded(attributeOf(attributes, 'src')).split(/[?#]/, 1);
      if (/\.svg$|^data:image\/svg/i.test(path)) this.features.add('svg');
      if (/\.webp$/i.test(path)) this.features.add('webp');
    }
    if (name === 'link' && /stylesheet/i.test(attributeOf(attributes, 'rel') ?? '')) this.features.add('stylesheet');
    if (name === 'meta' && /color-scheme/i.test(attributeOf(attributes, 'name') ?? '')) this.hasColourScheme = true;
  }

  private css(given: string): void {
    const css = given.slice(0, maxCssLength).replace(/\s+/g, ' ');
    for (const [feature, sign] of signs) if (!this.features.has(feature) && sign.test(css)) this.features.add(feature);
    if (/color-scheme/i.test(css)) this.hasColourScheme = true;
  }
}

function decoded(attribute: string | undefined): string {
  return decodeHTMLAttribute(attribute?.slice(0, maxCssLength) ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The last value of a property in the style of an element, if it is a colour that is known here. */
function colourIn(style: string, property: 'color' | 'background'): Colour | undefined {
  if (style === '') return undefined;
  const name = property === 'color' ? /^color$/i : /^background(?:-color)?$/i;
  let colour: Colour | undefined;
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':');
    if (colon > 0 && name.test(declaration.slice(0, colon).trim())) {
      colour = colourOf(declaration.slice(colon + 1)) ?? colour;
    }
  }
  return colour;
}

function colourOf(given: string): Colour | undefined {
  const value = given
    .trim()
    .slice(0, 60)
    .toLowerCase()
    .replace(/ ?!important$/, '');
  if (value === 'white') return white;
  if (value === 'black') return black;
  const short = /^#([\da-f])([\da-f])([\da-f])$/.exec(value);
  if (short !== null) return short.slice(1).map((digit) => parseInt(digit + digit, 16)) as unknown as Colour;
  const long = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/.exec(value);
  if (long !== null) return long.slice(1).map((digits) => parseInt(digits, 16)) as unknown as Colour;
  const parts = /^rgb\( ?(\d{1,3}) ?, ?(\d{1,3}) ?, ?(\d{1,3}) ?\)$/.exec(value);
  return parts === null ? undefined : (parts.slice(1).map((part) => Math.min(255, Number(part))) as unknown as Colour);
}
