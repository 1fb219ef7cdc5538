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
