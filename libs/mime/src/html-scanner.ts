/**
 * Receives the tags and texts that the scanner finds, in order. Names are lower-case. Text and attributes are raw:
 * entities are not decoded. `at` is the position of the attributes of an opening tag, or of a closing tag.
 */
export interface HtmlVisitor {
  text?(raw: string): void;
  open(name: string, attributes: string, at: number): void;
  close(name: string, at: number): void;
}

const equals = 0x3d;
const greaterThan = 0x3e;

/** Elements whose content is not markup and not shown to readers. */
const rawText = new Set(['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes']);

/**
 * Splits html into tags and text. Like a browser it accepts invalid html: everything that is not a tag is text, and a
 * construct without an end ends with the input.
 *
 * One pass with native searches that only move forward, so the time is linear for any input.
 */
export function scanHtml(html: string, visitor: HtmlVisitor): void {
  let at = 0;
  let textStart = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) break;
    const next = html.charCodeAt(open + 1);
    const isClosing = next === 0x2f;
    const isMarkup = next === 0x21 || next === 0x3f;
    if (!isMarkup && !isLetter(html.charCodeAt(isClosing ? open + 2 : open + 1))) {
      at = open + 1;
      continue;
    }
    if (open > textStart) visitor.text?.(html.slice(textStart, open));
    at = isMarkup ? endOfMarkup(html, open) : endOfTag(html, endOfName(html, open + 1));
    textStart = at;
    if (isMarkup) continue;

    const nameStart = isClosing ? open + 2 : open + 1;
    const nameEnd = endOfName(html, nameStart);
    const name = html.slice(nameStart, nameEnd).toLowerCase();
    if (isClosing) {
      visitor.close(name, open);
      continue;
    }
    visitor.open(name, html.slice(nameEnd, Math.max(nameEnd, html[at - 1] === '>' ? at - 1 : at)), nameEnd);
    if (rawText.has(name)) textStart = at = endOfRawText(html, at, name);
  }
  if (textStart < html.length) visitor.text?.(html.slice(textStart));
}

/** The value of an attribute, not decoded. Undefined if the tag has no such attribute. */
export function attributeOf(attributes: string, wanted: string): string | undefined {
  const place = placeOfAttribute(attributes, wanted);
  return place === undefined ? undefined : attributes.slice(place.start, place.end);
}

/**
 * Position of the value of an attribute, without quotes. Of several with the same name the first counts, as in
 * browsers.
 */
export function placeOfAttribute(attributes: string, wanted: string): { start: number; end: number } | undefined {
  for (let at = 0; at < attributes.length;) {
    const attribute = readAttribute(attributes, at);
    if (attribute === undefined) return undefined;
    const { nameStart, nameEnd, start, end, next, isClosed } = attribute;
    if (nameEnd - nameStart === wanted.length && attributes.slice(nameStart, nameEnd).toLowerCase() === wanted) {
      return isClosed ? { start, end } : undefined;
    }
    at = next;
  }
  return undefined;
}

/** The attributes of a tag in their order, with names in lower case and values that are not decoded. */
export function* attributesOf(attributes: string): Generator<readonly [name: string, value: string]> {
  for (let at = 0; at < attributes.length;) {
    const attribute = readAttribute(attributes, at);
    if (attribute === undefined) return;
    const { nameStart, nameEnd, start, end, next, isClosed } = attribute;
    if (!isClosed) return;
    yield [attributes.slice(nameStart, nameEnd).toLowerCase(), attributes.slice(start, end)];
    at = next;
  }
}

interface AttributePlace {
  readonly nameStart: number;
  readonly nameEnd: number;
  /** Start and end of the value, without quotes. */
  readonly start: number;
  readonly end: number;
  /** Position after the attribute. */
  readonly next: number;
  /** False if the closing quote of the value is missing. */
  readonly isClosed: boolean;
}

/** Reads the next attribute (HTML sections 13.2.5.32 to 39). Undefined at the `>` of the tag, or at the end of the html. */
function readAttribute(html: string, from: number): AttributePlace | undefined {
  let at = from;
  while (at < html.length && isSpaceOrSlash(html.charCodeAt(at))) at++;
  if (at >= html.length || html.charCodeAt(at) === greaterThan) return undefined;
  const nameStart = at++;
  while (at < html.length && !endsAttributeName(html.charCodeAt(at))) at++;
  const nameEnd = at;
  while (at < html.length && isSpace(html.charCodeAt(at))) at++;
  if (html.charCodeAt(at) !== equals) {
    return { nameStart, nameEnd, start: nameEnd, end: nameEnd, next: at, isClosed: true };
  }
  at++;
  while (at < html.length && isSpace(html.charCodeAt(at))) at++;
  const quote = html[at];
  if (quote === '"' || quote === "'") {
    const close = html.indexOf(quote, at + 1);
    const end = close === -1 ? html.length : close;
    return { nameStart, nameEnd, start: at + 1, end, next: close === -1 ? end : close + 1, isClosed: close !== -1 };
  }
  const start = at;
  while (at < html.length && !isSpace(html.charCodeAt(at)) && html.charCodeAt(at) !== greaterThan) at++;
  return { nameStart, nameEnd, start, end: at, next: at, isClosed: true };
}

function endOfMarkup(html: string, open: number): number {
  const isComment = html.startsWith('<!--', open);
  const end = isComment ? html.indexOf('-->', open + 2) : html.indexOf('>', open);
  if (end === -1) return html.length;
  return end + (isComment ? 3 : 1);
}

/** Position after the `>` of a tag. A `>` inside a quoted value is part of the value. */
function endOfTag(html: string, from: number): number {
  let at = from;
  for (;;) {
    const attribute = readAttribute(html, at);
    if (attribute === undefined) break;
    at = attribute.next;
  }
  while (at < html.length && isSpaceOrSlash(html.charCodeAt(at))) at++;
  return Math.min(at + 1, html.length);
}

function endOfRawText(html: string, from: number, name: string): number {
  let at = html.indexOf('</', from);
  while (at !== -1) {
    const end = at + 2 + name.length;
    if (html.slice(at + 2, end).toLowerCase() === name && endsName(html.charCodeAt(end))) return at;
    at = html.indexOf('</', at + 2);
  }
  return html.length;
}

function endOfName(html: string, from: number): number {
  let at = from;
  while (at < html.length) {
    if (endsName(html.charCodeAt(at))) break;
    at++;
  }
  return at;
}

function endsName(code: number): boolean {
  return isSpaceOrSlash(code) || code === greaterThan;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function isSpaceOrSlash(code: number): boolean {
  return code === 0x2f || isSpace(code);
}

function endsAttributeName(code: number): boolean {
  return code === equals || code === greaterThan || isSpaceOrSlash(code);
}
