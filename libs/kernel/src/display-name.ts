import { ValidationError } from './domain-error.js';

/** Longest name of a user or a team, in UTF-16 units. */
export const maxNameLength = 64;

/** Controls, line separators, and the marks that reverse the direction of what follows. */
const unshowable = /[\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** What mail programs make a link of. A bare domain may be the name of a company: `quotedName` takes the link out of it. */
const link = /:\/\/|(?:^|[^\p{L}\p{N}])(?:www\.|mailto:)|\.\p{L}{2,}(?::\d+)?[/?#]|@/iu;

/** Whether a text may be the name of a user or a team. Names stand in mail of the service, also to strangers. */
export function isDisplayName(text: string): boolean {
  return text.trim() !== '' && text.length <= maxNameLength && !unshowable.test(text) && !link.test(text);
}

/** Throws ValidationError. */
export function checkDisplayName(name: string): void {
  if (isDisplayName(name)) return;
  throw new ValidationError(`The \`name\` field must be one line of 1 to ${maxNameLength} characters without links.`);
}

/** The name that a provider of accounts knows, made such that it may be stored. */
export function displayNameOf(text: string): string {
  const shown = oneLine(text)
    .replace(/[:@/?#]+/g, ' ')
    .replace(/www\./gi, '');
  const cut = shown.slice(0, maxNameLength).toWellFormed().trim();
  return isDisplayName(cut) ? cut : 'User';
}

/**
 * A text of a user as it stands in mail of the service: one line, cut, and no link. Names that are stored already may
 * be anything.
 */
export function quotedName(text: string): string {
  const line = oneLine(text.slice(0, 4 * maxNameLength))
    .slice(0, maxNameLength)
    .toWellFormed();
  // U+2024 looks like a dot, and no mail program sees a domain in it.
  return `"${line
    .replaceAll('://', ' ')
    .replace(/\.(?=[\p{L}\p{N}])/gu, '\u2024')
    .replaceAll('"', "'")}"`;
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
}
