/** Told what the scanner meets, in order. Names are lower-case; text and attributes are raw, entities undecoded. */
export interface HtmlVisitor {
  text(raw: string): void;
  open(name: string, attributes: string): void;
  close(name: string): void;
}

/** Elements whose content is not markup. Nothing in them is meant to be read. */
const rawText = new Set(['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes']);

/**
 * Cuts html into tags and text. Forgiving like a browser: what is not a tag is text, what never ends ends with the input.
 *
 * One pass with native searches that only move forward, so the time is linear in the input whatever it holds.
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
    if (open > textStart) visitor.text(html.slice(textStart, open));
    at = isMarkup ? endOfMarkup(html, open) : endOfTag(html, open + 1);
    textStart = at;
    if (isMarkup) continue;

    const nameStart = isClosing ? open + 2 : open + 1;
    const nameEnd = endOfName(html, nameStart);
    const name = html.slice(nameStart, nameEnd).toLowerCase();
    if (isClosing) {
      visitor.close(name);
      continue;
    }
    visitor.open(name, html.slice(nameEnd, Math.max(nameEnd, at - 1)));
    if (rawText.has(name)) textStart = at = endOfRawText(html, at, name);
  }
  if (textStart < html.length) visitor.text(html.slice(textStart));
}

/** The value of an attribute, undecoded; undefined where the tag has none of that name. */
export function attributeOf(attributes: string, wanted: string): string | undefined {
  let at = 0;
  while (at < attributes.length) {
    while (at < attributes.length && isSpaceOrSlash(attributes.charCodeAt(at))) at++;
    const nameStart = at;
    while (at < attributes.length && !endsAttributeName(attributes.charCodeAt(at))) at++;
    const name = attributes.slice(nameStart, at).toLowerCase();
    while (at < attributes.length && isSpace(attributes.charCodeAt(at))) at++;
    if (attributes[at] !== '=') {
      if (name === wanted) return '';
      continue;
    }
    at++;
    while (at < attributes.length && isSpace(attributes.charCodeAt(at))) at++;
    const valueStart = at;
    const quote = attributes[at];
    if (quote === '"' || quote === "'") {
      const close = attributes.indexOf(quote, at + 1);
      at = close === -1 ? attributes.length : close + 1;
      if (name === wanted) return attributes.slice(valueStart + 1, close === -1 ? undefined : close);
      continue;
    }
    while (at < attributes.length && !isSpace(attributes.charCodeAt(at))) at++;
    if (name === wanted) return attributes.slice(valueStart, at);
  }
  return undefined;
}

function endOfMarkup(html: string, open: number): number {
  const isComment = html.startsWith('<!--', open);
  const end = isComment ? html.indexOf('-->', open + 2) : html.indexOf('>', open);
  if (end === -1) return html.length;
  return end + (isComment ? 3 : 1);
}

/** After the `>` of a tag; one inside a quoted value is part of the value. */
function endOfTag(html: string, from: number): number {
  let at = from;
  while (at < html.length) {
    const code = html.charCodeAt(at);
    if (code === 0x3e) return at + 1;
    if (code === 0x3d) {
      at++;
      while (at < html.length && isSpace(html.charCodeAt(at))) at++;
      const quote = html[at];
      if (quote !== '"' && quote !== "'") continue;
      const close = html.indexOf(quote, at + 1);
      if (close === -1) return html.length;
      at = close + 1;
      continue;
    }
    at++;
  }
  return html.length;
}

function endOfRawText(html: string, from: number, name: string): number {
  let at = html.indexOf('</', from);
  while (at !== -1) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at;
    at = html.indexOf('</', at + 2);
  }
  return html.length;
}

function endOfName(html: string, from: number): number {
  let at = from;
  while (at < html.length) {
    const code = html.charCodeAt(at);
    if (isSpaceOrSlash(code) || code === 0x3e) break;
    at++;
  }
  return at;
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
  return code === 0x3d || isSpaceOrSlash(code);
}
