import { readMailboxes } from '#mime';
import { decodeWords } from 'postal-mime';

export interface MessageSummary {
  readonly from: string;
  readonly fromDomain: string | undefined;
  readonly subject: string;
}

/** Header bytes looked at. Real headers are a few KB; what puts its From field beyond this is shown without one. */
const maxHeaderLength = 64 * 1024;
const maxFieldLength = 1_000;

/** What a list shows of a message, from its header alone: the body is not parsed until someone opens it. */
export function summaryOf(raw: Buffer): MessageSummary {
  const header = headerOf(raw);
  const from = field(header, 'from');
  return { from: shown(from), fromDomain: domainIn(from), subject: shown(field(header, 'subject')) };
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

function domainIn(from: string): string | undefined {
  return readMailboxes([from])[0]?.domain;
}

/** Readable, and storable: PostgreSQL keeps no NUL and no half of a surrogate pair. */
function shown(value: string): string {
  return decodeWords(value)
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .toWellFormed()
    .trim();
}
