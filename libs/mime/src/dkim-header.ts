import { withoutTrailing } from '#kernel';

/** One header field of a message. `raw` is the text from the name to before the last CRLF, as latin1. */
export interface HeaderField {
  readonly lowerName: string;
  readonly raw: string;
}

/**
 * Fields that are signed once more than they occur, so that adding another one breaks the signature (RFC 6376 section
 * 8.15). They are in the order of `h=`.
 */
const oversigned = ['from', 'to', 'cc', 'subject', 'date', 'message-id', 'reply-to'];

/** Fields that are signed where they occur (RFC 6376 section 5.4.1, RFC 8058 section 4 for List-Unsubscribe). */
const signedWherePresent = [
  'sender',
  'in-reply-to',
  'references',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'content-id',
  'content-description',
  'feedback-id',
  'auto-submitted',
];

/** Where the header section ends and where the body begins. A message without an empty line has only a header section. */
export function splitMessage(message: Uint8Array): { readonly headerEnd: number; readonly bodyStart: number } {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  if (bytes[0] === 0x0d && bytes[1] === 0x0a) return { headerEnd: 0, bodyStart: 2 };
  const at = bytes.indexOf('\r\n\r\n', 0, 'latin1');
  return at === -1 ? { headerEnd: bytes.length, bodyStart: bytes.length } : { headerEnd: at + 2, bodyStart: at + 4 };
}

/** Reads a header section. Lines that belong to no field are skipped, as DKIM verifiers do. */
export function readHeaderFields(section: string): HeaderField[] {
  const fields: HeaderField[] = [];
  let start = 0;
  while (start < section.length) {
    const end = endOfField(section, start);
    const raw = section.slice(start, end);
    // Only this field is searched: among thousands of lines without a colon, each search would run to the end of the
    // section.
    const colon = raw.indexOf(':');
    if (colon > 0 && !isFold(section, start)) {
      fields.push({ lowerName: fieldNameOf(raw, colon), raw });
    }
    start = end + 2;
  }
  return fields;
}

/**
 * The fields to sign, in the order of `h=`. `field` is undefined if the field is signed as absent.
 *
 * Fields with the same name are signed from the bottom up (RFC 6376 section 5.4.2).
 */
export function selectSignedFields(fields: readonly HeaderField[]): { name: string; field: HeaderField | undefined }[] {
  const byName = new Map<string, HeaderField[]>();
  for (let index = fields.length - 1; index >= 0; index--) {
    const field = fields[index] as HeaderField;
    const same = byName.get(field.lowerName);
    if (same) same.push(field);
    else byName.set(field.lowerName, [field]);
  }

  const selected: { name: string; field: HeaderField | undefined }[] = [];
  const select = (name: string) => {
    for (const field of byName.get(name) ?? []) selected.push({ name, field });
  };
  for (const name of oversigned) {
    select(name);
    selected.push({ name, field: undefined });
  }
  signedWherePresent.forEach(select);
  for (const name of byName.keys()) {
    if (name.startsWith('list-') && /^[\x21-\x39\x3c-\x7e]+$/.test(name)) select(name);
  }
  return selected;
}

const unrelaxedValue = /[\t\r\n]| {2}/;

/** Relaxed canonical form without the CRLF at the end (RFC 6376 section 3.4.2). */
export function relaxedField(raw: string): string {
  const colon = raw.indexOf(':');
  const name = fieldNameOf(raw, colon);
  const written = raw.slice(colon + 1);
  const value = unrelaxedValue.test(written) ? written.replaceAll('\r\n', '').replace(/[ \t]+/g, ' ') : written;
  // Not trim(): it would also remove bytes of UTF-8 that are white space in latin1.
  return `${name}:${value.slice(value.startsWith(' ') ? 1 : 0, value.length > 1 && value.endsWith(' ') ? -1 : undefined)}`;
}

/**
 * Blanks are allowed before the colon (RFC 5322 section 4.5). Not trimEnd(): it would remove U+00A0, a byte of the
 * name.
 */
export function fieldNameOf(raw: string, colon: number): string {
  return withoutTrailing(raw.slice(0, colon), ' \t').toLowerCase();
}

function endOfField(section: string, start: number): number {
  let from = start;
  for (;;) {
    const end = section.indexOf('\r\n', from);
    if (end === -1) return section.length;
    if (!isFold(section, end + 2)) return end;
    from = end + 2;
  }
}

function isFold(section: string, at: number): boolean {
  const character = section.charCodeAt(at);
  return character === 0x20 || character === 0x09;
}
