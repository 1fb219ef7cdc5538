import { parseMailbox, ValidationError } from '#kernel';
import { NobodyToAnswerError } from './draft-errors.js';
import { Inbox } from './inbox.js';
import { InboxEmail } from './thread.js';

const maxSubjectLength = 998;
/** The message with which a thread began, and its latest ones. */
const maxReferences = 20;
const messageId = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>$/;
/** Headers of a reply that only the service writes. */
const ownHeaders = new Set(['in-reply-to', 'references', 'reply-to']);

export interface AnswerRecipients {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
}

/**
 * To whom an answer goes: to the Reply-To of the email, else to its author; for an email of the inbox itself, to those
 * who got it. Everybody stands in it once.
 */
export function recipientsOfReply(
  email: InboxEmail,
  inbox: Pick<Inbox, 'address' | 'receivingAddress'>,
  { all, cc, bcc }: { readonly all: boolean; readonly cc: readonly string[]; readonly bcc: readonly string[] },
): AnswerRecipients {
  const to = distinct(answered(email), new Set());
  if (to.length === 0) throw new NobodyToAnswerError();
  const others = all ? [...email.to, ...email.cc].filter((text) => isMailbox(text) && !isOwn(text, inbox)) : [];
  const known = new Set(to.map(keyOf));
  return { to, cc: distinct([...cc, ...others], known), bcc: distinct(bcc, known) };
}

function answered({ direction, from, to, replyTo }: InboxEmail): readonly string[] {
  if (direction === 'outbound') return to.filter(isMailbox);
  const replies = replyTo.filter(isMailbox);
  return replies.length > 0 ? replies : [from].filter(isMailbox);
}

/** Adds the addresses to `known`. Texts that are no addresses stay: what sends the email refuses them. */
function distinct(texts: readonly string[], known: Set<string>): readonly string[] {
  return texts.filter((text) => {
    const key = keyOf(text);
    return !known.has(key) && known.add(key);
  });
}

const isMailbox = (text: string): boolean => parseMailbox(text) !== undefined;

const keyOf = (text: string): string => (parseMailbox(text)?.address ?? text).toLowerCase();

/** Whether mail to the address comes to the inbox. A tag behind a `+` belongs to the address without it. */
function isOwn(text: string, { address, receivingAddress }: Pick<Inbox, 'address' | 'receivingAddress'>): boolean {
  const key = keyOf(text);
  const withoutTag = key.replace(/^([^+@]+)\+[^@]*@/, '$1@');
  return [key, withoutTag].some((own) => own === address || own === receivingAddress?.toLowerCase());
}

/** Mail programs write the prefixes in the language of their user, and some count in them: `RE[2]:`. */
const replyPrefix =
  /^(?:re|aw|antw|sv|vs|res|odp|ynt|ats|rif|回复|回覆|答复|答覆|返信|회신)(?:\[\d{1,3}\])?\s{0,3}[:：]/i;
const forwardPrefix = /^(?:fwd?|wg|tr|rv|enc|doorst|vb|vl|pd|ilt|转发|轉寄|転送|전달)\s{0,3}[:：]/i;

export function subjectOfReply(subject: string | null): string {
  return withPrefix('Re:', replyPrefix, subject);
}

export function subjectOfForward(subject: string | null): string {
  return withPrefix('Fwd:', forwardPrefix, subject);
}

function withPrefix(prefix: string, present: RegExp, subject: string | null): string {
  const line = (subject ?? '').replace(/[\r\n\0]+/g, ' ').trim();
  const prefixed = present.test(line) ? line : `${prefix} ${line}`.trim();
  return prefixed.slice(0, maxSubjectLength).toWellFormed();
}

/** Throws ValidationError for headers that the service writes. All others are checked when the email is made. */
export function checkAnswerHeaders(headers: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(headers)) {
    if (!ownHeaders.has(name.toLowerCase())) continue;
    throw new ValidationError(`The \`${name}\` header cannot be set through the \`headers\` field.`);
  }
}

/**
 * The headers that make an email an answer (RFC 5322 section 3.6.4).
 *
 * @param references those of the answered email, the message with which its thread began first
 */
export function headersOfAnswer(answeredId: string | null, references: readonly string[]): Record<string, string> {
  if (answeredId === null || !messageId.test(answeredId)) return {};
  const ids = [...new Set(references.filter((id) => messageId.test(id) && id !== answeredId)), answeredId];
  const kept = ids.length > maxReferences ? [ids[0], ...ids.slice(1 - maxReferences)] : ids;
  return { 'In-Reply-To': answeredId, References: kept.join(' ') };
}

/** The message ids in the text of a header. */
export function messageIdsOf(text: string): string[] {
  const found = text.slice(0, 64 * 1024).match(/<[^<>\s]{1,250}>/g) ?? [];
  return found.filter((id) => messageId.test(id));
}
