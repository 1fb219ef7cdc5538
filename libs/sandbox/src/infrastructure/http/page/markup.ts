/** HTML that is safe to send. Only `html` creates it, so that all text of a message has been escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

type Piece = string | number | Markup | readonly Markup[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template whose values are escaped, both in text and in quoted attributes. Only Markup is inserted unchanged. */
export function html(literals: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(literals.reduce((text, literal, at) => text + rendered(pieces[at - 1] ?? '') + literal));
}

function rendered(piece: Piece): string {
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === 'object') return piece.map(({ text }) => text).join('');
  return String(piece).replace(/[&<>"']/g, (character) => entities[character] as string);
}

export const inboxLink = (token: string): string => `/sandbox?${new URLSearchParams({ token }).toString()}`;

export const olderLink = (token: string, after: string): string =>
  `/sandbox?${new URLSearchParams({ token, after }).toString()}`;

export const messageLink = (token: string, id: string, part: '' | '/html' | '/raw' = ''): string =>
  `/sandbox/inbox/${id}${part}?${new URLSearchParams({ token }).toString()}`;

/** A time in UTC, to the second, because the server does not know the reader's time zone. */
export function moment(at: Date): Markup {
  const iso = at.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}
