const maxSnippet = 200;
/** Characters of a body that are looked at. */
const maxSnippetSource = 64 * 1024;
const unread = ['style', 'script', 'head', 'title'];
const entities: Readonly<Record<string, string>> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
};

/** The first characters of a body on one line; null if it has none. */
export function snippetOf({
  html,
  text,
}: {
  readonly html: string | null;
  readonly text: string | null;
}): string | null {
  const source = text ?? (html === null ? '' : textOfHtml(html.slice(0, maxSnippetSource)));
  const line = source.slice(0, maxSnippetSource).replace(/\s+/g, ' ').trim();
  return line === '' ? null : line.slice(0, maxSnippet).toWellFormed();
}

/** The text of html without its tags, for a search or a snippet. Takes time in proportion to the length. */
export function textOfHtml(html: string): string {
  const lower = html.toLowerCase();
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      parts.push(html.slice(at));
      break;
    }
    parts.push(html.slice(at, open));
    const name = unread.find(
      (tag) => lower.startsWith(tag, open + 1) && /[\s>]/.test(lower[open + 1 + tag.length] ?? ''),
    );
    const from = name === undefined ? open : lower.indexOf(`</${name}`, open);
    const close = from < 0 ? -1 : html.indexOf('>', from);
    if (close < 0) break;
    at = close + 1;
  }
  return parts.join(' ').replace(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] as string);
}
