import { decodeAttribute } from './html-entities.js';
import { placeOfAttribute, scanHtml } from './html-scanner.js';

/** A link of an html body: what it leads to, and where its value stands, quotes left out. */
export interface HtmlLink {
  readonly url: string;
  readonly start: number;
  readonly end: number;
}

/** Where an html body can be changed without changing anything else of it. */
export interface HtmlPlaces {
  /** In the order in which they stand. */
  readonly links: readonly HtmlLink[];
  /** Before the last `</body>`; the end where there is none. */
  readonly end: number;
}

const linking = new Set(['a', 'area']);

/**
 * The links (`href` of `<a>` and `<area>`) of an html body that lead to a web page, and the place for something at its
 * end. Comments, conditional ones included, scripts and styles are not looked into. A link that cannot be read with
 * certainty, in a tag without an end or with unknown entities, is none.
 *
 * Linear in the length of the input, whatever the input is. `maxLinks` bounds the answer: later ones are left out.
 *
 * 4 KB with 18 links take 0.05 ms, 114 KB with 480 links 1.9 ms, as long as `htmlToText`, measured on a busy processor
 * that needs 0.80 ms for an RSA-2048 signature.
 */
export function findLinks(html: string, maxLinks: number): HtmlPlaces {
  const links: HtmlLink[] = [];
  let bodyEnd = html.length;
  scanHtml(html, {
    open: (name, attributes, at) => {
      if (!linking.has(name) || links.length >= maxLinks || html[at + attributes.length] !== '>') return;
      const place = placeOfAttribute(attributes, 'href');
      if (place === undefined) return;
      const url = webAddress(attributes.slice(place.start, place.end));
      if (url !== undefined) links.push({ url, start: at + place.start, end: at + place.end });
    },
    close: (name, at) => {
      if (name === 'body') bodyEnd = at;
    },
  });
  return { links, end: bodyEnd };
}

/** The html with other values for all of its links, one each and safe in an attribute, and something added at its end. */
export function withLinks(html: string, { links, end }: HtmlPlaces, values: readonly string[], added: string): string {
  const behind = links.findIndex((link) => link.start >= end);
  const before = behind === -1 ? links.length : behind;
  return (
    replaced(html, 0, end, links.slice(0, before), values) +
    added +
    replaced(html, end, html.length, links.slice(before), values.slice(before))
  );
}

function replaced(
  html: string,
  start: number,
  end: number,
  links: readonly HtmlLink[],
  values: readonly string[],
): string {
  let text = '';
  let from = start;
  links.forEach((link, index) => {
    text += html.slice(from, link.start) + (values[index] as string);
    from = link.end;
  });
  return text + html.slice(from, end);
}

/** An absolute http or https URL, or undefined. White space around it and line breaks in it count for nothing (WHATWG URL 4.4). */
function webAddress(raw: string): string | undefined {
  const url = decodeAttribute(raw)
    ?.replace(/[\t\r\n]/g, '')
    .trim();
  return url !== undefined && /^https?:\/\/[^/\\]/i.test(url) && URL.canParse(url) ? url : undefined;
}
