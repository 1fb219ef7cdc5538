/**
 * How mail shows that a program or a list has sent it. Such mail is never answered by a program, or two of them would
 * answer each other for ever (RFC 3834 section 2).
 */

const oldAnswers = new Set(['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply', 'x-failed-recipients']);
const bulk = /^(?:bulk|list|junk|auto_reply)\b/;
const maxLength = 200;

/** Whether a field says it. `from` is where its value begins in `field`. */
export function automaticBy(name: string, field: string, from: number): boolean {
  if (name.startsWith('list-') || oldAnswers.has(name)) return true;
  switch (name) {
    case 'auto-submitted': {
      const value = valueOf(field, from);
      return value !== '' && !/^no\b/.test(value);
    }
    case 'content-type':
      return valueOf(field, from).startsWith('multipart/report');
    case 'precedence':
      return bulk.test(valueOf(field, from));
    case 'x-auto-response-suppress':
      return /\b(?:all|oof|autoreply)\b/.test(valueOf(field, from));
    default:
      return false;
  }
}

/** The value without comments in front of it. */
function valueOf(field: string, from: number): string {
  let value = field.slice(from, from + maxLength).trim();
  while (value.startsWith('(')) {
    const end = value.indexOf(')');
    value = end < 0 ? '' : value.slice(end + 1).trim();
  }
  return value.toLowerCase();
}

const programs = new Set([
  'mailer-daemon',
  'noreply',
  'no-reply',
  'no_reply',
  'donotreply',
  'do-not-reply',
  'do_not_reply',
  'listserv',
  'majordomo',
  'bounce',
  'bounces',
]);

/** Whether an address is one that nobody reads, or that of a list (RFC 3834 section 2). */
export function isOfProgram(address: string): boolean {
  const [local = ''] = address.slice(0, maxLength).toLowerCase().split(/[@+]/, 1);
  return programs.has(local) || local.startsWith('owner-') || local.endsWith('-request');
}

/** Why a message must not be answered: a field of its header, or what its addresses show. Null: it may be answered. */
export function automaticReason(field: string | null, mailFrom: string, author: string): string | null {
  if (field !== null) return field;
  if (mailFrom === '') return 'null-sender';
  return isOfProgram(mailFrom) || isOfProgram(author) ? 'program-address' : null;
}
