import { hexValue } from '../transfer-decoding.js';
import { asUtf8 } from './charsets.js';
import { MimeEntity } from './mime-structure.js';
import { decodeUuencoded } from './uuencoding.js';

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const equals = 0x3d;
const maxPooledBytes = 1_024;

type Encoding = 'base64' | 'quoted-printable' | 'uuencode' | 'none';

/** The content of a part, with its transfer encoding decoded as far as it is valid. Not a copy if it has no encoding. */
export function contentOf(bytes: Buffer, entity: MimeEntity): Buffer {
  const body = bytes.subarray(entity.bodyStart, Math.max(entity.bodyStart, entity.bodyEnd));
  switch (encodingOf(entity)) {
    case 'base64':
      return Buffer.from(body.toString('latin1'), 'base64');
    case 'quoted-printable':
      return decodeQuotedPrintable(body);
    case 'uuencode':
      return decodeUuencoded(body);
    case 'none':
      return body;
  }
}

/**
 * The text of a part in UTF-8, with LF at the end of each line. A body that is not base64 also has LF after its last
 * line, like a text file.
 */
export function textOf(bytes: Buffer, entity: MimeEntity): Buffer {
  const { parameters, value } = entity.type;
  const content = contentOf(bytes, entity);
  const charset = parameters.get('charset')?.trim() || (value === 'text/html' && charsetOfHtml(content));
  // Old programs send 8-bit text without its charset. Text that is UTF-8 is read as such all the same.
  const text = asUtf8(content, charset || 'windows-1252');
  if (encodingOf(entity) === 'base64') return text;
  if (entity.bodyEnd < entity.bodyStart || entity.bodyStart >= bytes.length) return text;
  const isDelimited = entity.bodyEnd < bytes.length;
  const lines = withLineFeeds(text, isDelimited);
  if (!/^flowed$/i.test(parameters.get('format') ?? '')) return lines;
  return Buffer.from(unflowed(lines.toString('utf8'), /^yes$/i.test(parameters.get('delsp') ?? '')));
}

/** Bytes at the beginning of a document in which its charset is named (HTML standard, section 13.2.3.2). */
const sniffedBytes = 1_024;

function charsetOfHtml(content: Buffer): string | undefined {
  const start = content.toString('latin1', 0, sniffedBytes);
  const charset = /<meta\s[^<>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(start)?.[1];
  // A document that names itself in ASCII is not UTF-16.
  return charset !== undefined && /^utf-?16/i.test(charset) ? undefined : charset;
}

function encodingOf({ header }: MimeEntity): Encoding {
  const encoding = header.raw('content-transfer-encoding') ?? '';
  if (/base64/i.test(encoding)) return 'base64';
  if (/^\s*(?:x-)?uue?(?:ncode)?\s*$/i.test(encoding)) return 'uuencode';
  return /quoted-printable/i.test(encoding) ? 'quoted-printable' : 'none';
}

/**
 * Writes one LF for each line end, and one after the last line. In a delimited part, that is the line end of the
 * delimiter.
 */
function withLineFeeds(text: Buffer, isDelimited: boolean): Buffer {
  // For thousands of tiny parts, a buffer each would take ten times as long. A large buffer must not share memory with
  // others, because it may be moved to another thread.
  const target =
    text.length < maxPooledBytes ? Buffer.allocUnsafe(text.length + 1) : Buffer.allocUnsafeSlow(text.length + 1);
  let to = 0;
  let from = 0;
  for (let at = text.indexOf(lineFeed); at >= 0; at = text.indexOf(lineFeed, at + 1)) {
    let end = at;
    while (end > from && text[end - 1] === carriageReturn) end--;
    to += text.copy(target, to, from, end);
    target[to++] = lineFeed;
    from = at + 1;
  }
  if (from < text.length || isDelimited) {
    to += text.copy(target, to, from);
    target[to++] = lineFeed;
  }
  return target.subarray(0, to);
}

/** Decodes quoted-printable. Invalid escapes are kept as they are (RFC 2045 section 6.7). */
function decodeQuotedPrintable(body: Buffer): Buffer {
  const target = Buffer.allocUnsafeSlow(body.length);
  let to = 0;
  let from = 0;
  for (let at = body.indexOf(equals); at >= 0; at = body.indexOf(equals, from)) {
    to += body.copy(target, to, from, at);
    from = at + 1;
    const value = hexValue(body[at + 1]) * 16 + hexValue(body[at + 2]);
    if (!Number.isNaN(value)) {
      target[to++] = value;
      from = at + 3;
      continue;
    }
    const next = endOfLineBreak(body, at + 1);
    if (next === undefined) target[to++] = equals;
    else from = next;
  }
  to += body.copy(target, to, from);
  return target.subarray(0, to);
}

/** Position after a soft line break at `at`; undefined if there is none. The end of the body counts as one. */
function endOfLineBreak(body: Buffer, at: number): number | undefined {
  if (at >= body.length) return at;
  const end = body[at] === carriageReturn ? at + 1 : at;
  return body[end] === lineFeed ? end + 1 : undefined;
}

/**
 * Joins lines that were wrapped for display, and removes the space that protects the beginning of a line (RFC 3676).
 * Lines belong together only at one depth of quotation (section 4.5). A joined line keeps the quote marks of its first
 * line.
 */
function unflowed(text: string, deletesSpace: boolean): string {
  let joined = '';
  let openDepth: number | undefined;
  for (let at = 0; at < text.length;) {
    const lineFeedAt = text.indexOf('\n', at);
    const end = lineFeedAt < 0 ? text.length : lineFeedAt;
    const line = text.slice(at, end);
    at = end + 1;
    const [marks = ''] = /^>(?: ?>)*/.exec(line) ?? [];
    const depth = marks.replaceAll(' ', '').length;
    const shown = line[marks.length] === ' ' ? line.slice(marks.length + 1) : line.slice(marks.length);
    const isSignature = shown === '-- ' || (depth === 0 && line === '-- ');
    const isFlowed = shown.endsWith(' ') && !isSignature;
    if (openDepth !== depth || isSignature) {
      if (openDepth !== undefined) joined += '\n';
      joined += depth > 0 && shown !== '' ? `${marks} ` : marks;
    }
    joined += isFlowed && deletesSpace ? shown.slice(0, -1) : shown;
    if (!isFlowed && lineFeedAt >= 0) joined += '\n';
    openDepth = isFlowed ? depth : undefined;
  }
  return joined;
}
