/** Everything that a reader does not see: control, format and private characters, tags (U+E0000), variation selectors. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text as a person sees it. Models read hidden characters, in which whole instructions fit. */
export function visibleText(text: string): string {
  return text.replace(hidden, (sign) => (sign === '\n' || sign === '\t' ? sign : '')).replace(/\n{3,}/g, '\n\n');
}

/**
 * The visible text, in which nothing is Markdown or HTML that a client would render: an image is fetched when it is shown,
 * and its address may carry what the agent has read before.
 */
export function inertText(text: string): string {
  return visibleText(text)
    .replace(/!\[/g, '! [')
    .replace(/\](?=[([:])/g, '] ')
    .replace(/<(?=[a-z/!?])/gi, '< ');
}

/** At most this number of characters, with a mark where the rest is missing. Never half a surrogate pair. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
