import type { ThreadEmail } from './mail-queries';

/** Documents that are only read: nothing in them runs or is loaded. */
const read = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

/** More is neither quoted nor searched for quotations. */
const maxQuoted = 100_000;
const maxSearched = 1_000_000;

/** The text of an email, each line as a quotation. */
export function quoted({ text, html }: ThreadEmail): string {
  const whole = text ?? textOf((html ?? '').slice(0, 4 * maxQuoted));
  const lines = whole.slice(0, maxQuoted).trim().split(/\r?\n/);
  return lines.map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`.trimEnd())).join('\n');
}

function textOf(html: string): string {
  const { body } = read(html);
  for (const hidden of body.querySelectorAll('style, script, title')) hidden.remove();
  for (const line of body.querySelectorAll('br, p, div, tr, li, h1, h2, h3, blockquote')) line.append('\n');
  for (const end of body.querySelectorAll('br')) end.replaceWith('\n');
  return (body.textContent ?? '')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n');
}

/** The elements in which programs put the email that is answered. */
const whole =
  '.gmail_quote_container, .gmail_quote, .yahoo_quoted, .protonmail_quote, .tutanota_quote, blockquote[type="cite"]';
/** Elements of Outlook, behind which everything is quoted. */
const marks = '#appendonsend, #divRplyFwdMsg, #mail-editor-reference-message-container';

/** The document with the quotation that ends it folded. A quotation with an answer below it stays where it is. */
export function foldedHtml(html: string, label: string): string {
  if (html.length > maxSearched) return html;
  const parsed = read(html);
  const first = parsed.querySelector(`${whole}, ${marks}`);
  if (first === null) return html;
  // "On Friday, Ada wrote:" of Thunderbird.
  const said = first.previousElementSibling?.matches('.moz-cite-prefix') === true ? first.previousElementSibling : null;
  if (!hasWords(parsed, parsed.body, said ?? first)) return html;
  const folded: ChildNode[] = said === null ? [first] : [said, first];
  if (first.matches(marks)) while (folded.at(-1)?.nextSibling) folded.push(folded.at(-1)?.nextSibling as ChildNode);
  else if (hasWords(parsed, first, null)) return html;
  const details = parsed.createElement('details');
  const summary = details.appendChild(parsed.createElement('summary'));
  summary.textContent = '•••';
  summary.ariaLabel = label;
  summary.style.cssText =
    'display: inline-block; margin: 8px 0; padding: 0 8px; border-radius: 8px; cursor: pointer; ' +
    'background: #e4e4e7; color: #52525b; font: 10px/16px sans-serif; letter-spacing: 1px';
  folded[0]?.before(details);
  details.append(...folded);
  return parsed.documentElement.outerHTML;
}

/** Whether there are words from the beginning of one element to another, or behind it to the end. */
function hasWords(parsed: Document, from: Element, to: Element | null): boolean {
  const range = parsed.createRange();
  if (to === null) {
    range.setStartAfter(from);
    range.setEndAfter(parsed.body);
  } else {
    range.setStart(from, 0);
    range.setEndBefore(to);
  }
  return range.toString().trim() !== '';
}
