import { ValidationError } from './domain-error.js';
import { parseEmailAddress, parseMailbox } from './email-address.js';

/** Maximum number of addresses of `reply_to`. */
export const maxReplyTo = 50;
/** Maximum number of characters of an address with its name. */
export const maxMailboxLength = 1_000;

/** The address of a field of mail, as it was given. Throws a ValidationError if it is none. */
export function mailboxField(field: string, text: string): string {
  if (text.length <= maxMailboxLength && parseMailbox(text) !== undefined) return storableField(field, text);
  throw new ValidationError(
    `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` or \`Name <email@example.com>\` format.`,
  );
}

/** The address of a field that takes no name with it, in lower case. Throws a ValidationError if it is none. */
export function addressField(field: string, text: string): string {
  const parsed = parseEmailAddress(text.trim());
  if (parsed !== undefined) return parsed.address.toLowerCase();
  throw new ValidationError(
    `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` format.`,
  );
}

/** The addresses of `reply_to`, or null if there are none. */
export function replyToField(texts: readonly string[]): readonly string[] | null {
  if (texts.length > maxReplyTo)
    throw new ValidationError(`The \`reply_to\` field may have at most ${maxReplyTo} addresses.`);
  return texts.length === 0 ? null : texts.map((text) => mailboxField('reply_to', text));
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
export function storableField(field: string, text: string): string {
  if (!text.includes('\0') && text.isWellFormed()) return text;
  throw new ValidationError(`The \`${field}\` field must not contain NUL or half of a surrogate pair.`);
}

/** The object that a field must have. */
export function objectField(field: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ValidationError(`The \`${field}\` must be an object.`);
}
