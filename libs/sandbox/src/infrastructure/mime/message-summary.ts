import type { EmailAddress } from '#kernel';
import { decodeEncodedWords, readMailboxes } from '#mime';

export interface MessageSummary {
  readonly from: string;
  readonly fromAddress: EmailAddress | undefined;
  readonly subject: string;
}

/** Header bytes examined. Real headers are a few KB; a From field beyond this is ignored. */
const maxHeaderLength = 64 * 1024;
const maxFieldLength = 1_000;

/** The fields that a list shows, read from the header alone. The body is not parsed until the message is opened. */
export function summaryOf(raw: Buffer): MessageSummary {
  const header = headerOf(raw);
  const from = field(header, 'from');
  return { from: shown(from), fromAddress: readMailboxes([from])[0], subject: shown(field(header, 'subject')) };
}

function headerOf(raw: Buffer): string {
  const text = raw.toString('utf8', 0, maxHeaderLength);
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length;
  return text.slice(0, end).replace(/\r?\n(?=[ \t])/g, '');
}

function field(header: string, name: string): string {
  const value = new RegExp(`^${name}[ \\t]*:(.*)$`, 'im').exec(header)?.[1] ?? '';
  return value.slice(0, maxFieldLength).trim();
}

/** Makes the text readable and storable: PostgreSQL stores neither NUL nor half of a surrogate pair. */
function shown(value: string): string {
  return decodeEncodedWords(value)
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .toWellFormed()
    .trim();
}
