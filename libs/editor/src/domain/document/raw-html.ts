import { escapedHtml } from '#kernel';
import { attributesOf, decodeHTMLAttribute, HtmlVisitor, scanHtml } from '#mime';
import { safeLink, safeSource } from './safe-url.js';
import { safeStyle } from './safe-style.js';

export const maxRawHtmlLength = 200_000;
/** Browsers stop nesting here as well; deeper elements are left out, with their text kept. */
const maxDepth = 100;

/** Elements that run, load or frame something, or that only a whole page has: left out with their content. */
const removed = new Set(
  'script style iframe object embed applet frame frameset noframes noembed title template svg math xmp textarea select'.split(
    ' ',
  ),
);
/** Left out, with their content kept. */
const unwrapped = new Set('html head body meta link base form input button noscript dialog portal slot'.split(' '));
const voids = new Set('area br col hr img source track wbr'.split(' '));
const links = new Set(['href', 'cite', 'longdesc']);
const sources = new Set(['src', 'background', 'poster']);
const kept = new Set(
  (
    'abbr align alt aria-describedby aria-hidden aria-label aria-labelledby bgcolor border cellpadding cellspacing class color colspan datetime dir ' +
    'face headers height hspace id lang name nowrap rel role rowspan scope size span start summary target title type valign value vspace width ' +
    'style href cite longdesc src background poster'
  ).split(' '),
);

export interface SafeHtml {
  readonly html: string;
  /** What was left out, in words: `<script>`, `onclick`. */
  readonly dropped: readonly string[];
}

/**
 * Html that somebody wrote for a place in an email: what runs is taken out, every element is closed, and none that it did not open,
 * so that it cannot leave its block. Doing it twice changes nothing. Linear in the length of the html.
 */
export function safeHtml(html: string): SafeHtml {
  const writer = new HtmlWriter();
  scanHtml(html, writer);
  return { html: writer.finish(), dropped: [...writer.dropped] };
}

class HtmlWriter implements HtmlVisitor {
  readonly dropped = new Set<string>();
  private readonly pieces: string[] = [];
  private readonly open_: string[] = [];
  private readonly counts = new Map<string, number>();
  private skipped: { readonly name: string; depth: number } | undefined;

  text(raw: string): void {
    if (this.skipped === undefined) this.pieces.push(raw.replaceAll('<', '&lt;'));
  }

  open(name: string, attributes: string): void {
    if (this.skipped !== undefined) {
      if (this.skipped.name === name) this.skipped.depth++;
      return;
    }
    if (removed.has(name) || !/^[a-z][a-z\d-]{0,30}$/.test(name)) {
      this.dropped.add(`<${name.slice(0, 30)}>`);
      if (!attributes.trimEnd().endsWith('/')) this.skipped = { name, depth: 1 };
      return;
    }
    if (unwrapped.has(name) || this.open_.length >= maxDepth) return void this.dropped.add(`<${name}>`);
    this.pieces.push(`<${name}${this.attributes(attributes)}>`);
    if (voids.has(name)) return;
    this.open_.push(name);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  close(name: string): void {
    if (this.skipped !== undefined) {
      if (this.skipped.name === name && --this.skipped.depth === 0) this.skipped = undefined;
      return;
    }
    // An element that this html did not open is not its own to close.
    if ((this.counts.get(name) ?? 0) === 0) return;
    while (this.closeLast() !== name);
  }

  finish(): string {
    while (this.open_.length > 0) this.closeLast();
    return this.pieces.join('');
  }

  private closeLast(): string {
    const name = this.open_.pop() as string;
    this.counts.set(name, (this.counts.get(name) ?? 1) - 1);
    this.pieces.push(`</${name}>`);
    return name;
  }

  private attributes(text: string): string {
    const seen = new Set<string>();
    let written = '';
    for (const [name, raw] of attributesOf(text)) {
      if (name === '/' || seen.has(name)) continue;
      seen.add(name);
      const value = kept.has(name) ? this.value(name, decodeHTMLAttribute(raw)) : undefined;
      if (value === undefined) this.dropped.add(name.slice(0, 30));
      else written += ` ${name}="${escapedHtml(value)}"`;
    }
    return written;
  }

  private value(name: string, value: string): string | undefined {
    if (links.has(name)) return safeLink(value);
    if (sources.has(name)) return safeSource(value);
    if (name !== 'style') return value;
    const { style, dropped } = safeStyle(value);
    for (const property of dropped) this.dropped.add(property);
    return style;
  }
}
