import { decodeHTMLAttribute } from 'entities';
import { placeOfAttribute, scanHtml } from './html-scanner.js';

/** A link of an html body: its address, and the position of the attribute value without quotes. */
export interface HtmlLink {
  readonly url: string;
  readonly start: number;
  readonly end: number;
}

/** The places of an html body that can be changed without a change to the rest. */
export interface HtmlPlaces {
  /** In the order of the html. */
  readonly links: readonly HtmlLink[];
  /** Position before the last `</body>`, or the end of the html if there is none. */
  readonly end: number;
}

const linking = new Set(['a', 'area']);

/**
 * Finds the links to web pages (`href` of `<a>` and `<area>`) in an html body, and the position of its end. Links in
 * comments (including conditional comments), scripts and styles are ignored, and so are tags without an end.
 *
 * Takes linear time for any input. At most `maxLinks` links are returned, the first ones.
 *
 * 4 KB with 18 links take 0.05 ms and 114 KB with 480 links 1.9 ms, as long as `htmlToText`. Measured on a busy
 * processor that needs 0.80 ms for an RSA-2048 signature.
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

/** The html with a new value for each of its links, and `added` at its end. Each value must be safe in an attribute. */
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

/**
 * An absolute http or https URL, or undefined. White space around it and line breaks in it are ignored (WHATWG URL
 * 4.4).
 */
function webAddress(raw: string): string | undefined {
  const url = decodeHTMLAttribute(raw)
    .replace(/[\t\r\n]/g, '')
    .trim();
  return /^https?:\/\/[^/\\]/i.test(url) && URL.canParse(url) ? url : undefined;
}
