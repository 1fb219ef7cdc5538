const removed =
  'style, script, xml, head, title, meta, link, template, noscript, iframe, object, embed, svg, form, input, button, select';
const emphasis = /^(?:font-weight|font-style|text-decoration|text-decoration-line|text-align)$/;
const meaning =
  /^(?:bold|[6-9]00|italic|underline|line-through|center|right)(?:\s+(?:solid|none|underline|line-through))*$/;
const kept = new Set([
  'href',
  'src',
  'alt',
  'colspan',
  'start',
  'data-block',
  'data-attrs',
  'data-type',
  'data-pm-slice',
]);

/**
 * Html from the clipboard, for the parser of the editor: what word processors and web pages add for themselves is taken out, the
 * meaning stays. The parser drops everything that the document does not know.
 */
export function cleanPasted(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  // From this editor: nothing to clean.
  if (body.querySelector('[data-pm-slice]') !== null) return html;
  for (const element of body.querySelectorAll(removed)) element.remove();
  for (const element of [...body.querySelectorAll('*')]) clean(element);
  const comments = document.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const found: Node[] = [];
  while (comments.nextNode()) found.push(comments.currentNode);
  for (const comment of found) comment.parentNode?.removeChild(comment);
  return body.innerHTML;
}

function clean(element: Element): void {
  const name = element.localName;
  const style = element.getAttribute('style') ?? '';
  // Google Docs wraps everything in a bold element that is not bold, Word has elements of its own.
  if (
    name.includes(':') ||
    name === 'font' ||
    name === 'center' ||
    (name === 'b' && /font-weight:\s*normal/.test(style))
  ) {
    element.replaceWith(...element.childNodes);
    return;
  }
  const means = style
    .split(';')
    .map((declaration) => declaration.split(':').map((part) => part.trim().toLowerCase()))
    .filter(([property = '', value = '']) => emphasis.test(property) && meaning.test(value))
    .map(([property, value]) => `${property}:${value}`);
  for (const { name: attribute } of [...element.attributes])
    if (!kept.has(attribute)) element.removeAttribute(attribute);
  if (means.length > 0) element.setAttribute('style', means.join(';'));
  const isEmpty = element.textContent?.trim() === '' && element.querySelector('img, br, hr, td') === null;
  if (isEmpty && /^(?:p|span|div|a|strong|em|u|s|h[1-6])$/.test(name)) element.remove();
}
